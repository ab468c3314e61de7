/* Tests the motion of composed shapes. Sums and conic data that describe a primitive move like this primitive. Bodies
 * of overlapping parts, sums and intersections land and tumble like others (the shapes of EXACT 5.2). */
#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <criterion/parameterized.h>
#include <math.h>

#include "base/vec3.h"
#include "collision/query/union_mass.h"
#include "dynamics/world.h"
#include "effort.h"

static const double eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* Seeds of each kind, over the rates in turn. 60 and more have been run (docs/performance.md). */
#ifndef DROP_SEEDS
#define DROP_SEEDS 8
#endif

typedef AbutStatus Compose(int n, const AbutShape *const *parts, AbutShape **out, AbutError *error);

/* Composes two shapes and takes ownership of them. */
static AbutShape *compose(Compose *create, AbutShape *a, AbutShape *b)
{
	const AbutShape *const parts[2] = {a, b};
	AbutShape *shape = NULL;
	AbutError error = {0};
	cr_assert_eq(create(2, parts, &shape, &error), ABUT_OK, "%s", error.message);
	abut_shape_destroy(a);
	abut_shape_destroy(b);
	return shape;
}

static AbutShape *make_ellipsoid(double a, double b, double c)
{
	AbutShape *shape = NULL;
	cr_assert_eq(abut_shape_create_ellipsoid((const double[3]){a, b, c}, &shape, NULL), ABUT_OK);
	return shape;
}

static AbutShape *move(AbutShape *shape, double x, double y, double z)
{
	cr_assert_eq(abut_shape_move(shape, eye, (const double[3]){x, y, z}, NULL), ABUT_OK);
	return shape;
}

/* --- the same as a primitive --- */

static AbutShape *conic_sphere(double radius)
{
	AbutShape *shape = NULL;
	const double A[] = {0, 0, 0, -3, 0, 0, 0, -3, 0, 0, 0, -3}, d[] = {3.0 * radius, 0, 0, 0}, h[4] = {0.0};
	const AbutConicData data = {.n_rows = 4, .n_soc = 1, .soc_dim = (const int[]){4}, .A = A, .d = d, .h = h};
	cr_assert_eq(abut_shape_create_conic(&data, &shape, NULL), ABUT_OK);
	return shape;
}

enum { TWINS = 4 };
static const char *const twin_names[TWINS] = {"box + sphere", "capsule + sphere", "sphere + sphere, moved",
                                              "conic sphere"};

static AbutShape *twin(int index, bool composed)
{
	AbutShape *shape = NULL, *core = NULL;
	switch (index) {
	case 0:
		core = make_box(0.4, 0.3, 0.35);
		if (composed) {
			return compose(abut_shape_create_minkowski_sum, core, make_sphere(0.1));
		}
		cr_assert_eq(abut_shape_create_padded_polytope(core, 0.1, &shape, NULL), ABUT_OK);
		abut_shape_destroy(core);
		return shape;
	case 1:
		return composed ? compose(abut_shape_create_minkowski_sum, make_capsule(0.2, 0.8), make_sphere(0.1))
		                : make_capsule(0.3, 0.8);
	case 2:
		return composed ? move(compose(abut_shape_create_minkowski_sum, move(make_sphere(0.2), 1.0, 2.0, 3.0),
		                               make_sphere(0.2)),
		                       -1.0, -2.0, -3.0)
		                : make_sphere(0.4);
	default:
		return composed ? conic_sphere(0.4) : make_sphere(0.4);
	}
}

/* Begins a world with one shape that tumbles on a slope, or with three on top of each other. */
static void begin_twin(World *world, int index, bool composed, bool stacked, unsigned seed)
{
	AbutRng rng = {seed};
	world_begin(world);
	world->def.friction = 0.4;
	world_add_floor(world, stacked ? 0.0 : 0.2, 0.0, 1.0);
	for (int i = 0; i < (stacked ? 3 : 1); i++) {
		AbutBodyDef *body = world_add(world, twin(index, composed), 1.0, 0.0, 0.0, 0.0);
		if (stacked) {
			body->position[2] = (index == 0 ? 0.45 : index == 1 ? 0.3 : 0.4) + 0.9 * i;
			if (index == 1) {
				turn_about(0.0, 1.0, 0.0, 0.5 * M_PI, body->orientation);
			}
			continue;
		}
		body->position[2] = 1.2;
		abut_rng_rotation(&rng, body->orientation);
		for (int k = 0; k < 3; k++) {
			body->linear_velocity[k] = abut_rng_uniform(&rng, -1.0, 1.0);
			body->angular_velocity[k] = abut_rng_uniform(&rng, -2.0, 2.0);
		}
	}
	world_make(world);
}

/* Solutions of a step agree to 1e-10. The impacts of a tumbling body amplify this to less than 1e-6 in a second. */
Test(compositions, move_as_the_primitive_that_they_are)
{
	for (int index = 0; index < TWINS; index++) {
		for (unsigned seed = 0; seed < 6; seed++) {
			World worlds[2];
			const bool stacked = seed % 3 == 2;
			begin_twin(&worlds[0], index, false, stacked, seed);
			begin_twin(&worlds[1], index, true, stacked, seed);
			double apart = 0.0;
			for (int step = 0; step < 80; step++) {
				world_step(&worlds[0]);
				world_step(&worlds[1]);
				for (int b = 1; b < worlds[0].def.n_bodies; b++) {
					const AbutBodyState s = world_body(&worlds[0], b),
					                    t = world_body(&worlds[1], b);
					for (int k = 0; k < 3; k++) {
						apart = fmax(apart, fabs(s.position[k] - t.position[k]));
						apart = fmax(apart, fabs(s.orientation[1 + k] - t.orientation[1 + k]));
					}
				}
			}
			cr_expect_leq(apart, 1e-6, "%s, seed %u: %g m apart", twin_names[index], seed, apart);
			world_end(&worlds[0]);
			world_end(&worlds[1]);
		}
	}
}

/* --- depth --- */

/* Returns how deep a body of one part is in the floor, by the support function. */
static double depth_of(const World *world, int body)
{
	const AbutBodyState s = world_body(world, body);
	const double down[3] = {0.0, 0.0, -1.0};
	double R[9], own[3];
	abut_quat_to_mat3(s.orientation, R);
	abut_mat3_tvec(R, down, own);
	return abut_shape_support(world->def.bodies[body].parts[0], own, NULL) - s.position[2];
}

static AbutShape *make_without_closed_support(unsigned kind)
{
	AbutShape *shape = NULL;
	switch (kind) {
	case 0:
		return compose(abut_shape_create_intersection, make_sphere(0.5), make_box(0.4, 0.45, 0.35));
	case 1:
		return compose(abut_shape_create_intersection, make_ellipsoid(0.6, 0.5, 0.4),
		               move(make_sphere(0.5), 0.1, 0.0, 0.05));
	case 2: /* with auxiliary variables */
		return compose(abut_shape_create_intersection, make_capsule(0.3, 0.5), make_sphere(0.45));
	case 3:
		return conic_sphere(0.4);
	default:
		cr_assert_eq(abut_shape_create_superellipsoid((const double[]){0.5, 0.4, 0.3},
		                                              (const double[]){3.0, 4.0}, &shape, NULL),
		             ABUT_OK);
		return shape;
	}
}

/* The depth that a step reports, with its proof, equals that of the support function. This includes a body that starts
 * in the floor, which comes out at a bounded speed. */
Test(compositions, depth_is_that_of_the_support_function)
{
	long touching = 0;
	for (unsigned seed = 0; seed < 20; seed += 4 / TEST_EFFORT(4)) {
		AbutRng rng = {seed};
		World world;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		AbutBodyDef *body =
		    world_add(&world, make_without_closed_support(seed % 5), 1.0, 0.0, 0.0, seed < 10 ? 0.8 : 0.1);
		abut_rng_rotation(&rng, body->orientation);
		body->angular_velocity[1] = abut_rng_uniform(&rng, -2.0, 2.0);
		world_make(&world);
		double before = depth_of(&world, 1);
		for (int step = 0; step < 120; step++) {
			AbutContact contact;
			world_step(&world);
			const double depth = depth_of(&world, 1);
			if (world_find(&world, 0, 1, &contact)) {
				touching++;
				cr_assert_float_eq(world.info.max_penetration, fmax(depth, 0.0), 1e-9,
				                   "seed %u, step %d: %g and %g", seed, step,
				                   world.info.max_penetration, depth);
			}
			cr_assert_leq(depth, fmax(before, 1e-9) + 1e-9, "seed %u, step %d: deeper, %g", seed, step,
			              depth);
			cr_assert_geq(depth, before - 0.1, "seed %u, step %d: thrown out, %g after %g", seed, step,
			              depth, before);
			before = depth;
		}
		world_end(&world);
	}
	cr_assert_gt(touching, 250 * TEST_EFFORT(4));
}

/* --- many drops --- */

enum { KINDS = 11, MOST_PARTS = 5 };
static const char *const kind_names[KINDS] = {"L",          "dumbbell",      "table",          "cross",
                                              "box+sphere", "box+tetra",     "box+box",        "cylinder+sphere",
                                              "sphere^box", "ellipsoid^box", "cylinder^sphere"};

static AbutShape *make_tetrahedron(void)
{
	static const double vertices[] = {0.2, 0.2, 0.2, -0.2, -0.2, 0.2, -0.2, 0.2, -0.2, 0.2, -0.2, -0.2};
	AbutShape *shape = NULL;
	cr_assert_eq(abut_shape_create_polytope_from_vertices(4, vertices, &shape, NULL), ABUT_OK);
	return shape;
}

/* Makes the parts of a kind and returns their number. */
static int make_parts(int kind, AbutShape *out[MOST_PARTS])
{
	Compose *const sum = abut_shape_create_minkowski_sum, *const cut = abut_shape_create_intersection;
	switch (kind) {
	case 0:
		out[0] = make_box(0.5, 0.2, 0.15);
		out[1] = move(make_box(0.15, 0.2, 0.4), -0.35, 0.0, 0.3);
		return 2;
	case 1:
		out[0] = move(make_sphere(0.25), 0.0, 0.0, 0.5);
		out[1] = move(make_sphere(0.25), 0.0, 0.0, -0.5);
		out[2] = make_cylinder(0.1, 1.0);
		return 3;
	case 2:
		out[0] = move(make_box(0.5, 0.4, 0.05), 0.0, 0.0, 0.3);
		for (int i = 0; i < 4; i++) {
			out[1 + i] = move(make_box(0.06, 0.06, 0.3), i % 2 ? 0.4 : -0.4, i / 2 ? 0.3 : -0.3, 0.0);
		}
		return 5;
	case 3:
		out[0] = make_box(0.5, 0.12, 0.12);
		out[1] = make_box(0.12, 0.5, 0.12);
		out[2] = make_box(0.12, 0.12, 0.5);
		return 3;
	case 4:
		out[0] = compose(sum, make_box(0.4, 0.3, 0.2), make_sphere(0.1));
		return 1;
	case 5:
		out[0] = compose(sum, make_box(0.3, 0.3, 0.2), make_tetrahedron());
		return 1;
	case 6:
		out[0] = compose(sum, make_box(0.3, 0.2, 0.1), make_box(0.1, 0.2, 0.3));
		return 1;
	case 7:
		out[0] = compose(sum, make_cylinder(0.3, 0.4), make_sphere(0.1));
		return 1;
	case 8:
		out[0] = compose(cut, make_sphere(0.5), make_box(0.4, 0.4, 0.4));
		return 1;
	case 9:
		out[0] = compose(cut, make_ellipsoid(0.6, 0.5, 0.4), make_box(0.45, 0.4, 0.35));
		return 1;
	default:
		out[0] = compose(cut, make_cylinder(0.4, 0.8), make_sphere(0.5));
		return 1;
	}
}

typedef struct Counts {
	long steps, failed, relaxed, retried, iterations;
	double penetration;
} Counts;

/* Drops a body. `mass` is that of all parts together, computed once because round overlaps take long. */
static void drop(AbutShape *const *parts, int n, const AbutMassProperties *mass, double rate, bool on_box,
                 unsigned seed, Counts *counts)
{
	AbutRng rng = {seed};
	World world;
	world_begin(&world);
	world.def.timestep = 1.0 / rate;
	world_add_floor(&world, 0.0, 0.0, 1.0);
	if (on_box) {
		world_add(&world, make_box(0.5, 0.4, 0.3), 2.0, 0.0, 0.0, 0.3);
	}
	AbutBodyDef *body = world_add(&world, make_cube(1.0), 1.0, abut_rng_uniform(&rng, -0.2, 0.2),
	                              abut_rng_uniform(&rng, -0.2, 0.2), on_box ? 1.8 : 1.2);
	body->parts = (const AbutShape *const *)parts;
	body->n_parts = n;
	body->has_centre_of_mass = body->has_inertia = true;
	abut_copy3(mass->centre_of_mass, body->centre_of_mass);
	for (int k = 0; k < 9; k++) {
		body->inertia[k] = mass->inertia[k] / mass->volume;
	}
	abut_rng_rotation(&rng, body->orientation);
	for (int k = 0; k < 3; k++) {
		body->linear_velocity[k] = abut_rng_uniform(&rng, -1.0, 1.0);
		body->angular_velocity[k] = abut_rng_uniform(&rng, -3.0, 3.0);
	}
	world_make(&world);
	for (int i = 0; i < (int)rate; i++) {
		const AbutOutcome outcome = world_try(&world);
		counts->steps++;
		counts->failed += outcome != ABUT_OUTCOME_EXACT && outcome != ABUT_OUTCOME_RELAXED;
		counts->relaxed += outcome == ABUT_OUTCOME_RELAXED;
		counts->retried += world.info.retried;
		counts->iterations += world.info.iterations;
		AbutContact contact;
		for (int c = 0; abut_contact_get(world.model, world.workspace, c, &contact) == ABUT_OK; c++) {
			counts->penetration = fmax(counts->penetration, -contact.gap);
		}
	}
	world_end(&world);
}

static int drops[KINDS];

ParameterizedTestParameters(compositions, drop_at_many_rates)
{
	for (int i = 0; i < KINDS; i++) {
		drops[i] = i;
	}
	return cr_make_param_array(int, drops, KINDS);
}

/* Drops bodies on the floor, and on a free box on it. No step fails, and at most one of a hundred is not exact. */
ParameterizedTest(int *which, compositions, drop_at_many_rates)
{
	static const double rates[] = {20.0, 50.0, 100.0, 200.0};
	const char *name = kind_names[*which];
	AbutShape *parts[MOST_PARTS];
	AbutMassProperties mass;
	double error;
	const int n = make_parts(*which, parts);
	const AbutBundle all = {.n_parts = n, .parts = (const AbutShape *const *)parts};
	cr_assert_eq(abut_bundle_mass(&all, &mass, &error, NULL), ABUT_OK);
	for (int on_box = 0; on_box < 2; on_box++) {
		Counts counts = {.steps = 0};
		for (unsigned seed = 0; seed < DROP_SEEDS; seed++) {
			drop(parts, n, &mass, rates[seed % 4], on_box == 1, seed, &counts);
		}
		cr_log_info("%-16s %s steps %ld failed %ld relaxed %ld retried %ld iterations %.2f penetration %.1e",
		            name, on_box ? "on box" : "floor ", counts.steps, counts.failed, counts.relaxed,
		            counts.retried, (double)counts.iterations / (double)counts.steps, counts.penetration);
		cr_expect_eq(counts.failed, 0, "%s, on box %d: %ld of %ld steps failed", name, on_box, counts.failed,
		             counts.steps);
		cr_expect_leq(counts.relaxed, counts.steps / 100, "%s, on box %d: %ld of %ld steps relaxed", name,
		              on_box, counts.relaxed, counts.steps);
	}
	for (int i = 0; i < n; i++) {
		abut_shape_destroy(parts[i]);
	}
}

/* Makes the intersection of two balls: half radius 0.5, half thickness `t`. */
static AbutShape *make_lens(double t)
{
	static const int soc[2] = {4, 4};
	static const double A[24] = {0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1};
	const double r = (0.25 + t * t) / (2.0 * t), c = r - t;
	const double d[8] = {r, 0, 0, -c, r, 0, 0, c}, h[8] = {0.0};
	const AbutConicData data = {8, 0, 0, 2, soc, A, NULL, d, h};
	AbutShape *shape = NULL;
	AbutError error = {0};
	cr_assert_eq(abut_shape_create_conic(&data, &shape, &error), ABUT_OK, "%s", error.message);
	return shape;
}

/* The thinnest lenses that are accepted drop on the floor and on each other. Every step is solved. */
Test(compositions, thin_lenses_step)
{
	static const double ratios[] = {1.5, 100.0, 1000.0, 3000.0};
	for (unsigned seed = 0; seed < 4; seed++) {
		AbutRng rng = {seed};
		World world;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		for (int i = 0; i < 2; i++) {
			AbutBodyDef *body =
			    world_add(&world, make_lens(0.5 / ratios[seed]), 1.0, 0.0, 0.0, 0.6 + 1.2 * i);
			abut_rng_rotation(&rng, body->orientation);
			for (int k = 0; k < 3; k++) {
				body->angular_velocity[k] = abut_rng_normal(&rng);
			}
		}
		world_make(&world);
		for (int step = 0; step < 80; step++) {
			world_try(&world);
			cr_assert_neq(world.info.outcome, ABUT_OUTCOME_FAILED, "1:%g, step %d", ratios[seed], step);
			cr_assert_leq(world.info.max_penetration, 1e-7, "1:%g, step %d: %g", ratios[seed], step,
			              world.info.max_penetration);
		}
		world_end(&world);
	}
}
