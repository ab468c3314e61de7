/* Makes scenes for tests of parameters: a sloping floor, a body of two parts and one of one part. All of their
 * parameters can be changed in the definition too. */
#pragma once

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "abut/abut.h"
#include "abut/parameter.h"
#include "base/vec3.h"
#include "collision/sample_shapes.h"
#include "shapes/by_size.h"

enum { CHANGED_BODIES = 3, CHANGED_PARTS = 4, CHANGED_KINDS = 10 };

/* Kinds of the parts of moving bodies. */
static const AbutShapeKind changed_kinds[CHANGED_KINDS] = {
    ABUT_SHAPE_BOX,       ABUT_SHAPE_POLYTOPE, ABUT_SHAPE_PADDED_POLYTOPE, ABUT_SHAPE_SPHERE,
    ABUT_SHAPE_ELLIPSOID, ABUT_SHAPE_CAPSULE,  ABUT_SHAPE_CYLINDER,        ABUT_SHAPE_CONE,
    ABUT_SHAPE_CONIC,     ABUT_SHAPE_SMOOTH};

typedef struct ChangedScene {
	AbutSceneDef def;
	AbutBodyDef bodies[CHANGED_BODIES];
	AbutPairDef pairs[CHANGED_BODIES];
	AbutShape *shapes[CHANGED_PARTS]; /* floor; parts 0 and 1 of body 1; body 2 */
	const AbutShape *parts[CHANGED_PARTS];
} ChangedScene;

static inline int changed_part(int body, int part)
{
	return body == 0 ? 0 : body == 1 ? 1 + part : 3;
}

static inline void changed_scene_body(ChangedScene *scene, int body, AbutRng *rng)
{
	AbutBodyDef *def = &scene->bodies[body];
	static const char *const names[] = {"floor", "mug", "cup"};
	*def = abut_body_def_default();
	def->name = names[body];
	def->n_parts = body == 1 ? 2 : 1;
	def->parts = &scene->parts[changed_part(body, 0)];
	def->is_static = body == 0;
	def->has_inertia = def->has_centre_of_mass = true;
	def->mass = body == 0 ? 0.0 : abut_rng_uniform(rng, 0.7, 1.5);
	for (int k = 0; k < 3 && body > 0; k++) {
		def->inertia[4 * k] = abut_rng_uniform(rng, 0.03, 0.05);
		def->centre_of_mass[k] = abut_rng_uniform(rng, -0.05, 0.05);
		def->linear_velocity[k] = 0.3 * abut_rng_normal(rng);
		def->angular_velocity[k] = abut_rng_normal(rng);
		def->torque[k] = 0.05 * abut_rng_normal(rng);
	}
	for (int k = 0; k < 3 && body > 0; k++) {
		const int i = k == 0 ? 1 : k == 1 ? 2 : 5, j = k == 0 ? 3 : k == 1 ? 6 : 7;
		def->inertia[i] = def->inertia[j] = abut_rng_uniform(rng, -0.004, 0.004);
	}
	if (body > 0) {
		abut_rng_rotation(rng, def->orientation);
		def->position[2] = 0.75 * body;
	}
}

static inline void changed_scene_make(unsigned seed, ChangedScene *scene)
{
	AbutRng rng = {seed};
	const double normal[3] = {0.1, -0.2, 1.0};
	*scene = (ChangedScene){.def = abut_scene_def_default()};
	cr_assert_eq(abut_shape_create_halfspace(normal, 0.05, &scene->shapes[0], NULL), ABUT_OK);
	for (int i = 1; i < CHANGED_PARTS; i++) {
		const unsigned at = i == 1 ? seed : i == 2 ? seed / 3 + 2 : seed / 2 + 1;
		scene->shapes[i] = sample_shape(changed_kinds[at % CHANGED_KINDS], 0.25, &rng);
		double t[3] = {0.0, 0.0, 0.0};
		for (int k = 0; k < 3; k++) {
			t[k] = (i == 2 && k == 0 ? 0.2 : 0.0) - scene->shapes[i]->centre[k];
		}
		cr_assert_eq(abut_shape_move(scene->shapes[i], (const double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, t, NULL),
		             ABUT_OK);
		sample_move(scene->shapes[i], 0.02, &rng);
	}
	for (int i = 0; i < CHANGED_PARTS; i++) {
		scene->parts[i] = scene->shapes[i];
	}
	for (int i = 0; i < CHANGED_BODIES; i++) {
		changed_scene_body(scene, i, &rng);
		scene->pairs[i] = (AbutPairDef){.body_a = (i + 1) % 3, /* {1, 0}, {2, 1}, {0, 2} */
		                                .body_b = i,
		                                .friction = 0.4 + 0.1 * i,
		                                .torsional_radius = 0.03};
	}
	scene->def.bodies = scene->bodies;
	scene->def.n_bodies = CHANGED_BODIES;
	scene->def.pairs = scene->pairs;
	scene->def.n_pairs = CHANGED_BODIES;
	scene->def.all_pairs = false;
	scene->def.timestep = 0.01;
}

static inline void changed_scene_free(ChangedScene *scene)
{
	for (int i = 0; i < CHANGED_PARTS; i++) {
		abut_shape_destroy(scene->shapes[i]);
	}
}

/* --- the same changes in the definition --- */

static inline AbutShape *with_rows(const AbutShape *old, int index, double value)
{
	AbutShape *made = NULL, *core = NULL;
	double A[3 * 64], b[64];
	AbutError error = {.status = ABUT_OK};
	AbutStatus status = ABUT_OK;
	const int n = old->kind == ABUT_SHAPE_PADDED_POLYTOPE ? old->n_orthant : old->n_rows;
	cr_assert_leq(n, 64);
	memcpy(A, old->A, (size_t)n * 3 * sizeof *A);
	for (int i = 0; i < n; i++) {
		b[i] = old->h[i] + old->d[i];
	}
	*(index % 4 < 3 ? &A[3 * (index / 4) + index % 4] : &b[index / 4]) = value;
	if (old->kind == ABUT_SHAPE_HALFSPACE) {
		status = abut_shape_create_halfspace(A, b[0], &made, &error);
	} else if (old->kind == ABUT_SHAPE_CONIC) {
		const double none[64] = {0.0};
		const AbutConicData data = {.n_rows = n,
		                            .n_eps = old->n_eps,
		                            .n_orthant = old->n_orthant,
		                            .n_soc = old->n_soc,
		                            .soc_dim = old->soc_dim,
		                            .A = A,
		                            .B = old->B,
		                            .d = b,
		                            .h = none};
		status = abut_shape_create_conic(&data, &made, &error);
	} else {
		status = abut_shape_create_polytope(n, A, b, &core, &error);
		made = core;
	}
	if (old->kind == ABUT_SHAPE_PADDED_POLYTOPE && status == ABUT_OK) {
		status = abut_shape_create_padded_polytope(core, old->size[0], &made, &error);
		abut_shape_destroy(core);
	}
	cr_assert_eq(status, ABUT_OK, "%s: %s", abut_shape_kind_name(old->kind), error.message);
	return made;
}

static inline AbutShape *with_size(const AbutShape *old, int index, double value)
{
	double size[3];
	AbutShape *made = NULL;
	abut_copy3(old->size, size);
	size[index] = value;
	if (old->kind == ABUT_SHAPE_PADDED_POLYTOPE) {
		double b[64];
		AbutShape *core = NULL;
		for (int i = 0; i < old->n_orthant; i++) {
			b[i] = old->h[i] + old->d[i];
		}
		cr_assert_eq(abut_shape_create_polytope(old->n_orthant, old->A, b, &core, NULL), ABUT_OK);
		cr_assert_eq(abut_shape_create_padded_polytope(core, value, &made, NULL), ABUT_OK);
		abut_shape_destroy(core);
		return made;
	}
	made = shape_by_size(old->kind, size, NULL);
	cr_assert_eq(abut_shape_move(made, old->rotation, old->position, NULL), ABUT_OK);
	return made;
}

static inline AbutShape *with_pose(const AbutShape *old, const AbutParameter *p, double value)
{
	AbutShape *made = NULL;
	double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, t[3] = {0.0, 0.0, 0.0}, turned[3];
	cr_assert_eq(abut_shape_clone(old, &made, NULL), ABUT_OK);
	if (p->kind == ABUT_PARAMETER_PART_POSITION) {
		t[p->index] = value - old->position[p->index];
	} else {
		const int j = (p->index + 1) % 3, k = (p->index + 2) % 3;
		R[4 * j] = R[4 * k] = cos(value);
		R[3 * j + k] = -sin(value);
		R[3 * k + j] = sin(value);
		abut_mat3_vec(R, old->centre, turned);
		for (int i = 0; i < 3; i++) {
			t[i] = old->centre[i] - turned[i];
		}
	}
	cr_assert_eq(abut_shape_move(made, R, t, NULL), ABUT_OK);
	return made;
}

static inline void changed_scene_apply(ChangedScene *scene, const AbutParameter *p, double value)
{
	static const int entries[6][2] = {{0, 0}, {4, 4}, {8, 8}, {1, 3}, {2, 6}, {5, 7}};
	if (p->kind == ABUT_PARAMETER_TIMESTEP) {
		scene->def.timestep = value;
	} else if (p->kind == ABUT_PARAMETER_GRAVITY) {
		scene->def.gravity[p->index] = value;
	} else if (p->kind == ABUT_PARAMETER_MASS) {
		scene->bodies[p->body].mass = value;
	} else if (p->kind == ABUT_PARAMETER_INERTIA) {
		scene->bodies[p->body].inertia[entries[p->index][0]] = value;
		scene->bodies[p->body].inertia[entries[p->index][1]] = value;
	} else if (p->kind == ABUT_PARAMETER_CENTRE_OF_MASS) {
		scene->bodies[p->body].centre_of_mass[p->index] = value;
	} else if (p->other >= 0) { /* bodies 0 and 1, 1 and 2, 0 and 2 are pairs 0, 1, 2 */
		AbutPairDef *pair = &scene->pairs[p->body == 1 ? 1 : p->other == 1 ? 0 : 2];
		*(p->kind == ABUT_PARAMETER_FRICTION ? &pair->friction : &pair->torsional_radius) = value;
	} else {
		const int part = changed_part(p->body, p->part);
		const AbutShape *old = scene->shapes[part];
		AbutShape *made = p->kind == ABUT_PARAMETER_SIZE   ? with_size(old, p->index, value)
		                  : p->kind == ABUT_PARAMETER_FACE ? with_rows(old, p->index, value)
		                                                   : with_pose(old, p, value);
		abut_shape_destroy(scene->shapes[part]);
		scene->parts[part] = scene->shapes[part] = made;
	}
}
