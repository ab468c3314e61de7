/* Tests that a definition written as a scene file is read back as the same definition and runs bit for bit. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abut/abut.h"
#include "base/rng.h"

enum { SHAPES = 10, STEPS = 60 };

/* Composes `a` and the moved `b`, and takes ownership of both. */
static AbutStatus compose(bool sum, AbutShape *a, AbutShape *b, AbutShape **out)
{
	static const double turn[9] = {0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1}, way[3] = {0.1, 0.05, -1.0 / 30.0};
	const AbutShape *const parts[2] = {a, b};
	AbutStatus status = abut_shape_move(b, turn, way, NULL);
	if (status == ABUT_OK) {
		status = sum ? abut_shape_create_minkowski_sum(2, parts, out, NULL)
		             : abut_shape_create_intersection(2, parts, out, NULL);
	}
	abut_shape_destroy(a);
	abut_shape_destroy(b);
	return status;
}

enum { COMPOSED = 5 };

/* Makes the shapes that consist of others or of the user's numbers. */
static AbutStatus make_composed(int index, AbutShape **out)
{
	const double third = 1.0 / 3.0, half[3] = {third, 0.4, 0.3};
	const double rows[] = {0, 0, 0.7, 0, 0, 0, -1, 0, 0, 0, -third, 0, 0, 0, -1}, size[] = {0.2, third, 0, 0, 0},
	             shift[] = {0, 0, 0, 0, 0.1};
	const AbutConicData data = {
	    .n_rows = 5, .n_orthant = 1, .n_soc = 1, .soc_dim = (const int[]){4}, .A = rows, .d = size, .h = shift};
	AbutShape *a = NULL, *b = NULL;
	switch (index) {
	case 0: /* one of vertices, in the end */
		cr_assert(abut_shape_create_box(half, &a, NULL) == ABUT_OK &&
		          abut_shape_create_sphere(0.1, &b, NULL) == ABUT_OK);
		return compose(true, a, b, out);
	case 1:
		cr_assert(abut_shape_create_cylinder(0.2, third, &a, NULL) == ABUT_OK &&
		          abut_shape_create_ellipsoid(half, &b, NULL) == ABUT_OK);
		return compose(true, a, b, out);
	case 2:
		cr_assert(abut_shape_create_sphere(0.4, &a, NULL) == ABUT_OK &&
		          abut_shape_create_capsule(third, 0.2, &b, NULL) == ABUT_OK);
		return compose(false, a, b, out);
	case 3:
		return abut_shape_create_conic(&data, out, NULL);
	default:
		return abut_shape_create_superellipsoid(half, (const double[]){3.0, 10.0 / 3.0}, out, NULL);
	}
}

/* Makes a shape by every constructor, with numbers that have no short decimal form. */
static AbutShape *make(int index, bool *by_rows)
{
	const double third = 1.0 / 3.0, half[3] = {third, 0.4, 0.3}, normal[3] = {0.1, 0.2, 1.0};
	const double vertices[] = {0.55, 0.05, 0.0,   -0.5, 0.0,   0.0, third, 0.5, 0.1, 0.0, -0.45,
	                           0.0,  0.0,  third, 0.45, third, 0.0, -0.5,  0.4, 0.4, 0.1};
	const double A[] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 1, 1, third},
	             b[] = {0.5, 0.5, third, 0.5, 0.4, 0.5, 0.6};
	AbutShape *shape = NULL, *core = NULL;
	AbutStatus status = ABUT_OK;
	*by_rows = index == 9;
	switch (index) {
	case 0:
		status = abut_shape_create_halfspace(normal, -third, &shape, NULL);
		break;
	case 1:
		status = abut_shape_create_box(half, &shape, NULL);
		break;
	case 2:
		status = abut_shape_create_sphere(third, &shape, NULL);
		break;
	case 3:
		status = abut_shape_create_ellipsoid(half, &shape, NULL);
		break;
	case 4:
		status = abut_shape_create_capsule(0.2, third, &shape, NULL);
		break;
	case 5:
		status = abut_shape_create_cylinder(0.2, third, &shape, NULL);
		break;
	case 6:
		status = abut_shape_create_cone(0.7, third, &shape, NULL);
		break;
	case 7:
		status = abut_shape_create_polytope_from_vertices(7, vertices, &shape, NULL);
		break;
	case 8:
		status = abut_shape_create_polytope_from_vertices(7, vertices, &core, NULL);
		cr_assert_eq(status, ABUT_OK);
		status = abut_shape_create_padded_polytope(core, 0.1 * third, &shape, NULL);
		abut_shape_destroy(core);
		break;
	default:
		status = abut_shape_create_polytope(7, A, b, &shape, NULL);
		break;
	}
	cr_assert_eq(status, ABUT_OK, "shape %d", index);
	return shape;
}

static void expect_near(const double *a, const double *b, int n, double tolerance, const char *what, int index)
{
	for (int i = 0; i < n; i++) {
		cr_assert(fabs(a[i] - b[i]) <= tolerance, "shape %d, %s[%d]: %.17g and %.17g", index, what, i, a[i],
		          b[i]);
	}
}

/* Compares shapes with the same order of rows; `tolerance` 0 requires the same bits. */
static void expect_same_shape(const AbutShape *a, const AbutShape *b, double tolerance, int index)
{
	cr_assert(a->kind == b->kind && a->n_rows == b->n_rows && a->n_eps == b->n_eps &&
	              a->n_orthant == b->n_orthant && a->n_soc == b->n_soc && a->n_vertices == b->n_vertices,
	          "shape %d", index);
	expect_near(a->A, b->A, 3 * a->n_rows, tolerance, "A", index);
	expect_near(a->B, b->B, a->n_eps * a->n_rows, tolerance, "B", index);
	expect_near(a->d, b->d, a->n_rows, tolerance, "d", index);
	expect_near(a->h, b->h, a->n_rows, tolerance, "h", index);
	expect_near(a->centre, b->centre, 3, tolerance, "centre", index);
	expect_near(&a->outer_radius, &b->outer_radius, 1, tolerance, "outer radius", index);
	expect_near(&a->mass.volume, &b->mass.volume, 1, tolerance, "volume", index);
	expect_near(a->mass.centre_of_mass, b->mass.centre_of_mass, 3, tolerance, "centre of mass", index);
	expect_near(a->mass.inertia, b->mass.inertia, 9, tolerance, "inertia", index);
	if (a->kind != ABUT_SHAPE_HALFSPACE) { /* whose own frame is not part of the file */
		expect_near(a->rotation, b->rotation, 9, tolerance, "rotation", index);
		expect_near(a->position, b->position, 3, tolerance, "position", index);
		expect_near(a->vertices, b->vertices, 3 * a->n_vertices, tolerance, "vertices", index);
	}
}

/* A definition that contains everything that a file can hold. */
typedef struct Fixture {
	char path[64];
	AbutShape *shapes[SHAPES];
	const AbutShape *parts[SHAPES];
	char names[SHAPES][24];
	AbutBodyDef bodies[SHAPES];
	AbutPairDef pairs[2];
	int exclude[1][2];
	AbutSceneDef def;
	bool by_rows[SHAPES];
} Fixture;

static void begin(Fixture *fixture, unsigned seed)
{
	AbutRng rng = {seed};
	memset(fixture, 0, sizeof *fixture);
	strcpy(fixture->path, "/tmp/abut-test-XXXXXX");
	const int file = mkstemp(fixture->path);
	cr_assert_geq(file, 0);
	close(file);
	fixture->def = abut_scene_def_default();
	for (int i = 0; i < SHAPES; i++) {
		AbutBodyDef *body = &fixture->bodies[i];
		*body = abut_body_def_default();
		fixture->shapes[i] = make(i, &fixture->by_rows[i]);
		fixture->parts[i] = fixture->shapes[i];
		snprintf(fixture->names[i], sizeof fixture->names[i], "a \"%d\" \\ \xc3\xa9", i);
		body->name = fixture->names[i];
		body->is_static = i == 0;
		body->n_parts = 1;
		body->parts = &fixture->parts[i];
		body->friction = i % 3 ? -1.0 : 0.1 * i;
		if (i > 0) {
			*(i % 2 ? &body->mass : &body->density) = abut_rng_uniform(&rng, 0.5, 2.0);
			body->position[0] = abut_rng_uniform(&rng, -0.3, 0.3);
			body->position[2] = 0.8 * i;
			body->linear_velocity[1] = abut_rng_uniform(&rng, -0.3, 0.3);
			body->angular_velocity[2] = abut_rng_uniform(&rng, -3.0, 3.0);
			body->force[0] = abut_rng_uniform(&rng, -0.3, 0.3);
			body->torque[1] = abut_rng_uniform(&rng, -0.03, 0.03);
			if (i == 4) {
				body->planar_xz = true;
				body->linear_velocity[1] = body->angular_velocity[2] = 0.0;
			}
		}
	}
	fixture->bodies[2].has_inertia = true;
	memcpy(fixture->bodies[2].inertia, (const double[9]){0.1, 0.01, 0, 0.01, 0.12, 0, 0, 0, 1.0 / 7.0},
	       sizeof fixture->bodies[2].inertia);
	fixture->bodies[3].has_centre_of_mass = true;
	fixture->bodies[3].centre_of_mass[1] = 0.01;
	fixture->pairs[0] =
	    (AbutPairDef){.body_a = 2, .body_b = 1, .friction = 0.7, .torsional_radius = -1.0, .restitution = 0.5};
	fixture->pairs[1] = (AbutPairDef){
	    .body_a = 0, .body_b = 3, .friction = -1.0, .torsional_radius = 1.0 / 30.0, .restitution = -1.0};
	fixture->exclude[0][0] = 4;
	fixture->exclude[0][1] = 6;
	fixture->def.name = "a name";
	fixture->def.timestep = 1.0 / 60.0;
	fixture->def.duration = 1.0;
	fixture->def.friction = 0.3;
	fixture->def.restitution = 0.25;
	fixture->def.quasi_static = true;
	fixture->def.gravity[0] = 0.1;
	if (seed % 2) {
		fixture->def.solver = abut_solver_options_preset(ABUT_PRESET_PAPER, ABUT_METHOD_SINGLE_LEVEL);
	}
	fixture->def.solver.max_iterations = 40;
	fixture->def.solver.tolerance = 1e-9;
	fixture->def.solver.warm_start_rule = ABUT_WARM_RULE_SHIFTED;
	fixture->def.solver.collision_kappa = 1e-7 / 3.0;
	fixture->def.solver.lcp_gap = ABUT_LCP_GAP_NONE;
	fixture->def.solver.lcp_solver = ABUT_LCP_SOLVER_LEMKE;
	fixture->def.solver.kappa_gradient = 1e-3 / 7.0;
	fixture->def.solver.solref[0] = 0.1 / 3.0;
	fixture->def.solver.solimp[2] = 0.01 / 3.0;
	fixture->def.solver.impratio = 5.0 / 3.0;
	fixture->def.solver.margin = 0.1 / 7.0;
	fixture->def.solver.convex_model = ABUT_CONVEX_MODEL_BARRIER;
	fixture->pairs[0].has_solref = fixture->pairs[0].has_solimp = fixture->pairs[1].has_margin = true;
	fixture->pairs[0].solref[0] = fixture->pairs[0].solref[1] = 0.7 / 3.0;
	fixture->pairs[0].solimp[4] = 4.0 / 3.0;
	fixture->pairs[1].margin = 0.2 / 3.0;
	fixture->def.bodies = fixture->bodies;
	fixture->def.n_bodies = SHAPES;
	fixture->def.pairs = fixture->pairs;
	fixture->def.n_pairs = 2;
	fixture->def.exclude = (const int(*)[2])fixture->exclude;
	fixture->def.n_exclude = 1;
}

static void end(Fixture *fixture)
{
	unlink(fixture->path);
	for (int i = 0; i < SHAPES; i++) {
		abut_shape_destroy(fixture->shapes[i]);
	}
}

static AbutScene *write_and_read(const Fixture *fixture)
{
	AbutScene *scene = NULL;
	AbutError error = {0};
	cr_assert_eq(abut_scene_save(&fixture->def, fixture->path, &error), ABUT_OK, "%s: %s", error.where,
	             error.message);
	cr_assert_eq(abut_scene_load(fixture->path, 0, NULL, &scene, &error), ABUT_OK, "%d:%d: %s: %s", error.line,
	             error.column, error.where, error.message);
	return scene;
}

/* Returns all bits of the state after some steps. */
static double *end_of_run(const AbutSceneDef *def, size_t *n)
{
	AbutModel *model = NULL;
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	AbutError error = {0};
	AbutStepInfo info = {0};
	cr_assert_eq(abut_model_create(def, &model, &error), ABUT_OK, "%s: %s", error.where, error.message);
	cr_assert_eq(abut_state_create(model, &state, &error), ABUT_OK);
	cr_assert_eq(abut_workspace_create(model, &workspace, &error), ABUT_OK);
	for (int i = 0; i < STEPS; i++) {
		cr_assert_eq(abut_step(model, state, workspace, &info), ABUT_OK);
	}
	*n = abut_state_snapshot_size(model, state);
	double *out = malloc(*n * sizeof *out);
	cr_assert_not_null(out);
	cr_assert_eq(abut_state_snapshot(model, state, out), ABUT_OK);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(model);
	return out;
}

static void expect_same_body(const AbutBodyDef *a, const AbutBodyDef *b)
{
	cr_expect_str_eq(a->name, b->name);
	cr_expect(a->is_static == b->is_static && a->planar_xz == b->planar_xz && a->mass == b->mass &&
	              a->density == b->density && a->friction == b->friction && a->has_inertia == b->has_inertia &&
	              a->has_centre_of_mass == b->has_centre_of_mass,
	          "%s", a->name);
	cr_expect_eq(memcmp(a->inertia, b->inertia, sizeof a->inertia), 0, "%s", a->name);
	cr_expect_eq(memcmp(a->centre_of_mass, b->centre_of_mass, sizeof a->centre_of_mass), 0, "%s", a->name);
	cr_expect_eq(memcmp(a->position, b->position, sizeof a->position), 0, "%s", a->name);
	cr_expect_eq(memcmp(a->orientation, b->orientation, sizeof a->orientation), 0, "%s", a->name);
	cr_expect_eq(memcmp(a->linear_velocity, b->linear_velocity, sizeof a->linear_velocity), 0, "%s", a->name);
	cr_expect_eq(memcmp(a->angular_velocity, b->angular_velocity, sizeof a->angular_velocity), 0, "%s", a->name);
	cr_expect_eq(memcmp(a->force, b->force, sizeof a->force), 0, "%s", a->name);
	cr_expect_eq(memcmp(a->torque, b->torque, sizeof a->torque), 0, "%s", a->name);
}

/* Everything but the polytope given by rows is equal. Its vertices agree up to rounding. */
Test(scene_write, reads_back_to_the_bit)
{
	for (unsigned seed = 0; seed < 5; seed++) {
		Fixture fixture;
		begin(&fixture, seed);
		AbutScene *scene = write_and_read(&fixture);
		const AbutSceneDef *a = &fixture.def, *b = abut_scene_def(scene);
		cr_expect_str_eq(a->name, b->name);
		cr_expect(a->timestep == b->timestep && a->restitution == b->restitution &&
		          a->duration == b->duration && a->friction == b->friction &&
		          a->quasi_static == b->quasi_static && memcmp(a->gravity, b->gravity, sizeof a->gravity) == 0);
		const AbutSolverOptions *x = &a->solver, *y = &b->solver;
		cr_expect(x->method == y->method && x->kappa == y->kappa && x->tolerance == y->tolerance &&
		          x->max_iterations == y->max_iterations && x->finish == y->finish &&
		          x->friction_cone == y->friction_cone && x->linear_solver == y->linear_solver &&
		          x->warm_start_rule == y->warm_start_rule && x->retry == y->retry &&
		          x->warm_start == y->warm_start && x->collision_kappa == y->collision_kappa &&
		          memcmp(x->solref, y->solref, sizeof x->solref) == 0 && x->impratio == y->impratio &&
		          memcmp(x->solimp, y->solimp, sizeof x->solimp) == 0 && x->lcp_gap == y->lcp_gap &&
		          x->lcp_solver == y->lcp_solver && x->kappa_gradient == y->kappa_gradient &&
		          x->margin == y->margin && x->convex_model == y->convex_model && x->preset == y->preset);
		cr_assert(a->n_bodies == b->n_bodies && a->n_pairs == b->n_pairs && a->n_exclude == b->n_exclude &&
		          a->all_pairs == b->all_pairs);
		for (int i = 0; i < a->n_bodies; i++) {
			expect_same_body(&a->bodies[i], &b->bodies[i]);
			expect_same_shape(a->bodies[i].parts[0], b->bodies[i].parts[0],
			                  fixture.by_rows[i] ? 1e-14 : 0.0, i);
		}
		for (int i = 0; i < a->n_pairs; i++) {
			cr_expect(a->pairs[i].body_a == b->pairs[i].body_a &&
			          a->pairs[i].body_b == b->pairs[i].body_b &&
			          a->pairs[i].friction == b->pairs[i].friction &&
			          a->pairs[i].restitution == b->pairs[i].restitution &&
			          a->pairs[i].torsional_radius == b->pairs[i].torsional_radius);
			cr_expect(a->pairs[i].has_solref == b->pairs[i].has_solref &&
			          a->pairs[i].has_solimp == b->pairs[i].has_solimp &&
			          a->pairs[i].has_margin == b->pairs[i].has_margin &&
			          a->pairs[i].margin == b->pairs[i].margin &&
			          memcmp(a->pairs[i].solref, b->pairs[i].solref, sizeof a->pairs[i].solref) == 0 &&
			          memcmp(a->pairs[i].solimp, b->pairs[i].solimp, sizeof a->pairs[i].solimp) == 0);
		}
		cr_expect(a->exclude[0][0] == b->exclude[0][0] && a->exclude[0][1] == b->exclude[0][1]);
		abut_scene_destroy(scene);
		end(&fixture);
	}
}

Test(scene_write, runs_to_the_same_bits)
{
	for (unsigned seed = 0; seed < 3; seed++) {
		Fixture fixture;
		size_t n = 0, m = 0;
		begin(&fixture, seed);
		fixture.def.restitution = fixture.pairs[0].restitution = 0.0; /* the method has none */
		fixture.def.n_bodies = SHAPES - 1;                            /* without the one that is rounded */
		AbutScene *scene = write_and_read(&fixture);
		double *a = end_of_run(&fixture.def, &n), *b = end_of_run(abut_scene_def(scene), &m);
		cr_assert(n == m && memcmp(a, b, n * sizeof *a) == 0, "seed %u", seed);
		free(a);
		free(b);
		abut_scene_destroy(scene);
		end(&fixture);
	}
}

/* Random moves and scales give the same shape up to rounding, in the body frame. */
Test(scene_write, moved_shapes)
{
	for (unsigned seed = 0; seed < 60; seed++) {
		Fixture fixture;
		AbutRng rng = {seed};
		begin(&fixture, seed);
		for (int i = 0; i < SHAPES; i++) {
			double q[4], R[9], way[3];
			abut_rng_rotation(&rng, q);
			for (int k = 0; seed < 8 && k < 4;
			     k++) { /* half turns and no turn, where a quaternion has a zero */
				q[k] = k == (int)seed % 4;
			}
			const double w = q[0], x = q[1], y = q[2], z = q[3];
			memcpy(R,
			       (const double[9]){1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
			                         2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
			                         2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)},
			       sizeof R);
			for (int k = 0; k < 3; k++) {
				way[k] = abut_rng_uniform(&rng, -1.0, 1.0);
			}
			cr_assert_eq(abut_shape_scale(fixture.shapes[i], abut_rng_uniform(&rng, 0.3, 3.0), NULL),
			             ABUT_OK);
			cr_assert_eq(abut_shape_move(fixture.shapes[i], R, way, NULL), ABUT_OK, "seed %u", seed);
		}
		AbutScene *scene = write_and_read(&fixture);
		const AbutSceneDef *def = abut_scene_def(scene);
		for (int i = 0; i < SHAPES; i++) {
			const AbutShape *a = fixture.shapes[i], *b = def->bodies[i].parts[0];
			for (int k = 0; k < 50 && i > 0; k++) {
				double direction[3], p[3], r[3];
				for (int j = 0; j < 3; j++) {
					direction[j] = abut_rng_normal(&rng);
				}
				cr_assert_float_eq(abut_shape_support(a, direction, p),
				                   abut_shape_support(b, direction, r), 1e-12, "seed %u, shape %d",
				                   seed, i);
			}
			expect_near(a->mass.inertia, b->mass.inertia, 9, 1e-12 * (1.0 + a->mass.inertia[0]), "inertia",
			            i);
			if (i == 0) { /* any point of the plane may be its centre */
				expect_near(a->A, b->A, 3, 1e-15, "normal", i);
				expect_near(a->h, b->h, 1, 1e-15, "offset", i);
			} else {
				expect_near(a->centre, b->centre, 3, 1e-12, "centre", i);
			}
		}
		abut_scene_destroy(scene);
		end(&fixture);
	}
}

Test(scene_write, contacts_in_every_form)
{
	for (int form = 0; form < 4; form++) {
		Fixture fixture;
		begin(&fixture, 1);
		fixture.def.all_pairs = form < 2;
		fixture.def.n_pairs = form % 2 ? 2 : 0;
		fixture.def.n_exclude = form == 0 ? 1 : 0;
		AbutScene *scene = write_and_read(&fixture);
		const AbutSceneDef *def = abut_scene_def(scene);
		cr_expect(def->all_pairs == fixture.def.all_pairs && def->n_pairs == fixture.def.n_pairs &&
		              def->n_exclude == fixture.def.n_exclude,
		          "form %d", form);
		abut_scene_destroy(scene);
		end(&fixture);
	}
}

Test(scene_write, bodies_of_several_parts)
{
	Fixture fixture;
	begin(&fixture, 3);
	fixture.bodies[4].n_parts = 3; /* with those of bodies 5 and 6 */
	AbutScene *scene = write_and_read(&fixture);
	const AbutSceneDef *def = abut_scene_def(scene);
	cr_assert_eq(def->bodies[4].n_parts, 3);
	cr_expect_eq(def->bodies[5].n_parts, 1);
	for (int i = 0; i < 3; i++) {
		expect_same_shape(def->bodies[4].parts[i], fixture.parts[4 + i], 0.0, 4 + i);
	}
	abut_scene_destroy(scene);
	end(&fixture);
}

/* Moved sums, an intersection, conic data and a superellipsoid have the same rows up to rounding, and the same mass
 * within its error. */
Test(scene_write, compositions)
{
	const double turn[9] = {0.6, 0.0, -0.8, 0.0, 1.0, 0.0, 0.8, 0.0, 0.6}, way[3] = {1.0 / 3.0, -0.2, 0.1};
	Fixture fixture;
	AbutShape *shapes[COMPOSED] = {NULL};
	begin(&fixture, 0);
	for (int i = 0; i < COMPOSED; i++) {
		cr_assert_eq(make_composed(i, &shapes[i]), ABUT_OK, "%d", i);
		cr_assert_eq(abut_shape_move(shapes[i], turn, way, NULL), ABUT_OK);
		fixture.parts[1 + i] = shapes[i];
	}
	AbutScene *scene = write_and_read(&fixture);
	for (int i = 0; i < COMPOSED; i++) {
		const AbutShape *a = shapes[i], *b = abut_scene_def(scene)->bodies[1 + i].parts[0];
		cr_assert(a->kind == b->kind && a->n_rows == b->n_rows && a->n_eps == b->n_eps &&
		              a->n_soc == b->n_soc && a->n_parts == b->n_parts && a->n_vertices == b->n_vertices,
		          "%d", i);
		expect_near(a->A, b->A, 3 * a->n_rows, 1e-14, "A", i);
		expect_near(a->B, b->B, a->n_eps * a->n_rows, 1e-14, "B", i);
		expect_near(a->centre, b->centre, 3, 1e-7, "centre", i);
		expect_near(&a->mass.volume, &b->mass.volume, 1, 1e-7, "volume", i);
		expect_near(a->mass.inertia, b->mass.inertia, 9, 1e-7, "inertia", i);
		for (int k = 0; k < 20; k++) {
			const double u[3] = {cos(k), sin(k), cos(3.0 * k)};
			cr_expect_float_eq(abut_shape_support(a, u, NULL), abut_shape_support(b, u, NULL), 1e-9,
			                   "shape %d, direction %d", i, k);
		}
	}
	abut_scene_destroy(scene);
	for (int i = 0; i < COMPOSED; i++) {
		abut_shape_destroy(shapes[i]);
	}
	end(&fixture);
}

Test(scene_write, where_no_file_can_be)
{
	Fixture fixture;
	AbutError error = {0};
	begin(&fixture, 0);
	cr_expect_eq(abut_scene_save(&fixture.def, "/proc/no/where.json", &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.file, "/proc/no/where.json");
	end(&fixture);
}
