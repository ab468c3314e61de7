/* Makes contact problems of real scenes at random points, for tests/dynamics/contact/test_jacobian.c and
 * test_directions.c: every primitive on a plane, pairs of primitives, stacks, and the friction laws. */
#pragma once

#include <criterion/criterion.h>
#include <string.h>

#include "base/vec3.h"
#include "collision/sample_shapes.h"
#include "dynamics/island/island.h"
#include "dynamics/pairs/all_pairs.h"
#include "dynamics/pairs/islands.h"
#include "dynamics/step/gather.h"
#include "dynamics/step/workspace.h"
#include "solver/sample_cones.h"

enum { SCENE_BODIES_MAX = 5 };

typedef struct ContactScene {
	const char *name;
	AbutShapeKind kinds[SCENE_BODIES_MAX - 1]; /* bodies from below; HALFSPACE (0) ends the list */
	bool plane;                                /* a static halfspace below them */
	double tilt;                               /* of the plane about x, rad */
	bool fixed;                                /* the lowest body is static */
	double mu, torsional_radius;               /* radius: negative for the default */
	AbutFrictionCone cone;
} ContactScene;

/* clang-format off */
static const ContactScene contact_scenes[] = {
    {"box on plane", {ABUT_SHAPE_BOX}, true, 0.0, false, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"polytope on plane", {ABUT_SHAPE_POLYTOPE}, true, 0.0, false, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"padded polytope on plane", {ABUT_SHAPE_PADDED_POLYTOPE}, true, 0.0, false, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"sphere on plane", {ABUT_SHAPE_SPHERE}, true, 0.0, false, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"ellipsoid on plane", {ABUT_SHAPE_ELLIPSOID}, true, 0.0, false, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"capsule on plane", {ABUT_SHAPE_CAPSULE}, true, 0.0, false, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"cylinder on plane", {ABUT_SHAPE_CYLINDER}, true, 0.0, false, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"cone on plane", {ABUT_SHAPE_CONE}, true, 0.0, false, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"superellipsoid on plane", {ABUT_SHAPE_SMOOTH}, true, 0.0, false, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"superellipsoid and superellipsoid", {ABUT_SHAPE_SMOOTH, ABUT_SHAPE_SMOOTH}, false, 0.0, false, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"superellipsoid and padded polytope", {ABUT_SHAPE_SMOOTH, ABUT_SHAPE_PADDED_POLYTOPE}, true, 0.1, false, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"box on tilted plane", {ABUT_SHAPE_BOX}, true, 0.3, false, 0.9, -1.0, ABUT_FRICTION_CONE_SOC},
    {"box and box", {ABUT_SHAPE_BOX, ABUT_SHAPE_BOX}, false, 0.0, false, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"sphere and capsule", {ABUT_SHAPE_SPHERE, ABUT_SHAPE_CAPSULE}, false, 0.0, false, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"capsule and capsule", {ABUT_SHAPE_CAPSULE, ABUT_SHAPE_CAPSULE}, false, 0.0, false, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"cone and cylinder", {ABUT_SHAPE_CONE, ABUT_SHAPE_CYLINDER}, false, 0.0, false, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"padded polytope and ellipsoid", {ABUT_SHAPE_PADDED_POLYTOPE, ABUT_SHAPE_ELLIPSOID}, false, 0.0, false, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"polytope and padded polytope", {ABUT_SHAPE_POLYTOPE, ABUT_SHAPE_PADDED_POLYTOPE}, false, 0.0, false, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"stack of three boxes", {ABUT_SHAPE_BOX, ABUT_SHAPE_BOX, ABUT_SHAPE_BOX}, true, 0.0, false, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"mixed stack", {ABUT_SHAPE_CYLINDER, ABUT_SHAPE_PADDED_POLYTOPE, ABUT_SHAPE_CONE, ABUT_SHAPE_BOX}, true, 0.1, false, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"cylinder on static box", {ABUT_SHAPE_BOX, ABUT_SHAPE_CYLINDER}, false, 0.0, true, 0.5, -1.0, ABUT_FRICTION_CONE_SOC},
    {"frictionless pair", {ABUT_SHAPE_BOX, ABUT_SHAPE_CAPSULE}, true, 0.0, false, 0.0, -1.0, ABUT_FRICTION_CONE_SOC},
    {"no torsion", {ABUT_SHAPE_ELLIPSOID, ABUT_SHAPE_BOX}, true, 0.0, false, 0.7, 0.0, ABUT_FRICTION_CONE_SOC},
    {"pyramid", {ABUT_SHAPE_BOX, ABUT_SHAPE_SPHERE}, true, 0.0, false, 0.7, -1.0, ABUT_FRICTION_CONE_PYRAMID},
    {"pyramid without torsion", {ABUT_SHAPE_CYLINDER, ABUT_SHAPE_BOX}, true, 0.2, false, 0.7, 0.0, ABUT_FRICTION_CONE_PYRAMID},
};
/* clang-format on */

enum { CONTACT_SCENES = sizeof contact_scenes / sizeof *contact_scenes };

typedef struct ContactFixture {
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
	AbutIsland *island; /* the one of all bodies */
} ContactFixture;

/* Places the bodies above each other, about to touch, with velocities and random orientations. Bodies of a stack of
 * more than two are not rotated. */
static inline void place_bodies(const ContactScene *scene, AbutShape *const *shapes, int n, AbutRng *rng,
                                AbutBodyDef *bodies)
{
	static const char *const names[] = {"a", "b", "c", "d"};
	double height = 0.0;
	for (int i = 0; i < n; i++) {
		AbutBodyDef *body = &bodies[i];
		const double *centre = shapes[i]->centre;
		*body = abut_body_def_default();
		body->name = names[i];
		body->is_static = scene->fixed && i == 0;
		body->n_parts = 1;
		body->parts = (const AbutShape *const *)&shapes[i];
		body->mass = body->is_static ? 0.0 : abut_rng_uniform(rng, 0.5, 2.0);
		abut_rng_rotation(rng, body->orientation);
		double R[9], offset[3];
		abut_quat_to_mat3(body->orientation, R);
		abut_mat3_vec(R, centre, offset);
		const double reach = 0.5 * (shapes[i]->outer_radius + shapes[i]->inner_radius);
		height += reach;
		for (int j = 0; j < 3; j++) {
			body->position[j] = (j == 2 ? height : 0.1 * abut_rng_normal(rng)) - offset[j];
			body->linear_velocity[j] = body->is_static ? 0.0 : 0.5 * abut_rng_normal(rng);
			body->angular_velocity[j] = body->is_static ? 0.0 : abut_rng_normal(rng);
			body->torque[j] = body->is_static ? 0.0 : 0.1 * abut_rng_normal(rng);
		}
		height += reach;
	}
}

/* Sets up the one island of all bodies, ready to be evaluated at the start of the step. */
static inline void set_up_island(ContactFixture *fixture)
{
	AbutWorkspace *w = fixture->workspace;
	AbutIsland *island = &w->islands[0];
	abut_step_gather(fixture->model, fixture->state, w, fixture->model->timestep);
	all_pairs_candidates(fixture->model, fixture->state, w);
	abut_partition_make(fixture->model, &w->pairs, w->bodies, &w->partition);
	cr_assert_eq(w->partition.n_islands, 1);
	const AbutIslandMembers *members = &w->partition.members[0];
	cr_assert_eq(abut_island_reserve(fixture->model, island, &members->size), ABUT_OK);
	for (int i = 0; i < members->size.n_contacts; i++) {
		island->chosen[i] = w->pairs.active[w->partition.by_island[members->first_contact + i]];
	}
	const AbutIslandChoice choice = {.n_contacts = members->size.n_contacts};
	abut_island_setup(fixture->model, w->bodies, &w->pairs, &w->partition, members, &choice,
	                  fixture->model->timestep, island);
	fixture->island = island;
}

static inline void contact_fixture_make_for(AbutMethod method, const ContactScene *scene, uint64_t seed,
                                            ContactFixture *out)
{
	AbutRng rng = {1000 + seed};
	AbutShape *shapes[SCENE_BODIES_MAX] = {NULL};
	AbutBodyDef bodies[SCENE_BODIES_MAX];
	AbutPairDef pairs[SCENE_BODIES_MAX];
	AbutSceneDef def = abut_scene_def_default();
	AbutError error = {0};
	int n = 0;
	for (; n < SCENE_BODIES_MAX - 1 && scene->kinds[n] != ABUT_SHAPE_HALFSPACE; n++) {
		shapes[n] = sample_shape(scene->kinds[n], 0.3, &rng);
	}
	place_bodies(scene, shapes, n, &rng, bodies);
	if (scene->plane) {
		const double normal[3] = {0.0, -sin(scene->tilt), cos(scene->tilt)};
		cr_assert_eq(abut_shape_create_halfspace(normal, 0.0, &shapes[n], &error), ABUT_OK);
		bodies[n] = abut_body_def_default();
		bodies[n].name = "plane";
		bodies[n].is_static = true;
		bodies[n].n_parts = 1;
		bodies[n].parts = (const AbutShape *const *)&shapes[n];
		n++;
	}
	for (int i = 0; i + 1 < n; i++) {
		const int other = scene->plane && i == 0 ? n - 1 : i + (scene->plane ? 0 : 1);
		pairs[i] = (AbutPairDef){.body_a = scene->plane && i > 0 ? i - 1 : i,
		                         .body_b = other,
		                         .friction = scene->mu,
		                         .torsional_radius = scene->torsional_radius};
	}
	def.bodies = bodies;
	def.n_bodies = n;
	def.pairs = pairs;
	def.n_pairs = n - 1;
	def.all_pairs = false;
	def.solver.friction_cone = scene->cone;
	def.solver.method = method;
	def.solver.linear_solver = ABUT_LINEAR_SOLVER_DENSE; /* room for both; the tests choose */
	cr_assert_eq(abut_model_create(&def, &out->model, &error), ABUT_OK, "%s: %s %s", scene->name, error.where,
	             error.message);
	cr_assert_eq(abut_state_create(out->model, &out->state, &error), ABUT_OK);
	cr_assert_eq(abut_workspace_create(out->model, &out->workspace, &error), ABUT_OK);
	for (int i = 0; i < n; i++) {
		abut_shape_destroy(shapes[i]);
	}
	set_up_island(out);
	cr_assert_eq(out->island->problem.n_contacts, n - 1, "%s, seed %lu: %d contacts", scene->name,
	             (unsigned long)seed, out->island->problem.n_contacts);
}

static inline void contact_fixture_make(const ContactScene *scene, uint64_t seed, ContactFixture *out)
{
	contact_fixture_make_for(ABUT_METHOD_SINGLE_LEVEL, scene, seed, out);
}

static inline void contact_fixture_destroy(ContactFixture *fixture)
{
	abut_workspace_destroy(fixture->workspace);
	abut_state_destroy(fixture->state);
	abut_model_destroy(fixture->model);
}

/* Draws y at random: motion, a contact point near the middle, a scaling about 1. psi is the head of the slack if there
 * is one. */
static inline void sample_unknowns(ContactFixture *fixture, AbutRng *rng)
{
	AbutIsland *w = fixture->island;
	double *y = w->iterate.y;
	for (int i = 0; i < 6 * fixture->model->n_moving; i++) {
		y[i] = abut_rng_normal(rng);
	}
	for (int i = 0; i < w->problem.n_contacts; i++) {
		const AbutContactWork *contact = &w->problem.contacts[i];
		double *own = &y[contact->at.y];
		double centre[3];
		abut_mat3_vec(contact->side[0].body->R0, contact->side[0].rows->centre, centre);
		for (int j = 0; j < contact->pair->n_y; j++) {
			own[j] = 0.3 * abut_rng_normal(rng) + (j < 3 ? centre[j] : 0.0);
		}
		own[3] += 1.0;
		if (contact->at.n_friction_y) {
			own[contact->at.psi_y] = w->iterate.s[contact->at.z + contact->at.friction_z];
		}
	}
}
