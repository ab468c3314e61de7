/* Tests pairs of very different size. Separate shapes never affect each other: no false overlap and no false impulse,
 * for any ratio of sizes. Small bodies rest on large ones, and large ones on small ones. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <math.h>
#include <stdio.h>

#include "base/vec3.h"
#include "dynamics/world.h"

static const double g = 9.81;

typedef struct Ratio {
	double ratio;
	int partner; /* 0 static, 1 of the same mass, 2 of about the same density */
} Ratio;

enum { MOST_RATIOS = 3 * 9 };

static const char *const partner_names[] = {"static", "as heavy", "as dense"};

/* Densities are equal up to a size ratio of 30, which is a mass ratio of 27000. */
ParameterizedTestParameters(sizes, free_flight)
{
	static Ratio ratios[MOST_RATIOS];
	static const double values[] = {1.0, 2.0, 5.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0};
	size_t count = 0;
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		for (int partner = 0; partner < (values[i] > 30.0 ? 2 : 3); partner++) {
			ratios[count++] = (Ratio){values[i], partner};
		}
	}
	return cr_make_param_array(Ratio, ratios, count);
}

/* Returns how far a body's shape extends along a world direction from its centre of mass. */
static double reach(const AbutBodyDef *body, const double direction[3])
{
	double R[9], local[3];
	abut_quat_to_mat3(body->orientation, R);
	abut_mat3_tvec(R, direction, local);
	return abut_shape_support(body->parts[0], local, NULL);
}

/* Places two shapes with a plane between them. Their bounding spheres are 1 to 9 % of the radii apart. With every other
 * seed, the shapes themselves are 0.03 to 1 m apart along some direction, and the smaller one is about 1 m large. */
static void place_apart(World *world, const Ratio *c, unsigned seed, bool falling)
{
	AbutRng rng = {seed};
	const int first = (int)(abut_rng_next(&rng) % WORLD_SHAPES), second = (int)(abut_rng_next(&rng) % WORLD_SHAPES);
	const double mass = c->partner == 0 ? 0.0 : c->partner == 1 ? 1.0 : c->ratio * c->ratio * c->ratio;
	double d[3], length;
	world_begin(world);
	world->def.gravity[2] = falling ? -g : 0.0;
	for (int i = 0; i < 3; i++) {
		d[i] = abut_rng_normal(&rng);
	}
	length = abut_norm3(d);
	for (int i = 0; i < 3; i++) {
		d[i] /= length;
	}
	AbutBodyDef *large = world_add(world, make_primitive(second, c->ratio), mass, 0.0, 0.0, 0.0);
	AbutBodyDef *small = world_add(world, make_primitive(first, 1.0), 1.0, 0.0, 0.0, 0.0);
	abut_rng_rotation(&rng, large->orientation);
	abut_rng_rotation(&rng, small->orientation);
	const double back[3] = {-d[0], -d[1], -d[2]};
	const double spheres = large->parts[0]->outer_radius + small->parts[0]->outer_radius;
	const double distance = seed % 2 ? spheres * abut_rng_uniform(&rng, 1.01, 1.09)
	                                 : reach(large, d) + reach(small, back) + abut_rng_uniform(&rng, 0.03, 1.0);
	double centres[3]; /* the spheres are about the centres, the octahedron's lies off its frame */
	double R[2][9], centre[2][3];
	const AbutBodyDef *const bodies[2] = {large, small};
	for (int b = 0; b < 2; b++) {
		abut_quat_to_mat3(bodies[b]->orientation, R[b]);
		abut_mat3_vec(R[b], bodies[b]->parts[0]->centre, centre[b]);
	}
	for (int i = 0; i < 3; i++) {
		centres[i] = seed % 2 ? centre[0][i] - centre[1][i] : 0.0;
		small->position[i] = distance * d[i] + centres[i];
	}
}

/* Computes the errors of a body's velocities by residuals of 1e-10 per step, in the model's units of impulse and
 * angular impulse. */
static void tolerances(const World *world, int body, int steps, double *linear, double *angular)
{
	double length = 0.0, mass = 1.0, least = INFINITY;
	int moving = 0;
	for (int b = 0; b < 2; b++) {
		moving += world->bodies[b].mass > 0.0;
		length += world->bodies[b].mass > 0.0 ? world->shapes[b]->outer_radius : 0.0;
		mass *= world->bodies[b].mass > 0.0 ? world->bodies[b].mass : 1.0;
	}
	length /= moving;
	mass = moving == 2 ? sqrt(mass) : mass;
	const double time = world->def.gravity[2] < 0.0 ? sqrt(length / g) : 100.0 * world->def.timestep;
	const AbutMassProperties *properties = &world->shapes[body]->mass;
	for (int i = 0; i < 3; i++) { /* a principal moment may lie below those about the axes; hardly by half */
		least = fmin(least, 0.5 * properties->inertia[4 * i] / properties->volume);
	}
	*linear = steps * 1e-10 * mass / world->bodies[body].mass * length / time;
	*angular = *linear * length / least;
}

ParameterizedTest(Ratio *c, sizes, free_flight)
{
	for (unsigned seed = 0; seed < 60; seed++) {
		World world;
		char what[96];
		const bool falling = seed / 2 % 2;
		snprintf(what, sizeof what, "ratio %g, %s, seed %u", c->ratio, partner_names[c->partner], seed);
		place_apart(&world, c, seed, falling);
		world_make(&world);
		for (int n = 1; n <= 5; n++) {
			const AbutOutcome outcome = world_try(&world);
			cr_expect(outcome == ABUT_OUTCOME_EXACT || outcome == ABUT_OUTCOME_RELAXED, "%s, step %d: %s",
			          what, n, abut_outcome_name(outcome));
			for (int b = c->partner == 0; b < 2; b++) {
				const AbutBodyState s = world_body(&world, b);
				const double v[3] = {s.linear_velocity[0], s.linear_velocity[1],
				                     s.linear_velocity[2] + (falling ? n * 0.01 * g : 0.0)};
				double linear, angular;
				tolerances(&world, b, n, &linear, &angular);
				cr_expect_leq(abut_norm3(v), linear + 1e-12, "%s, step %d: body %d off by %g m/s, %s",
				              what, n, b, abut_norm3(v), abut_outcome_name(outcome));
				cr_expect_leq(abut_norm3(s.angular_velocity), angular,
				              "%s, step %d: body %d at %g rad/s (%g)", what, n, b,
				              abut_norm3(s.angular_velocity), angular);
			}
			AbutContact contact;
			const bool solved = world_find(&world, 0, 1, &contact);
			double linear, angular;
			tolerances(&world, 1, 1, &linear, &angular);
			cr_expect_leq(contact.normal_impulse, linear * world.bodies[1].mass + 1e-12,
			              "%s, step %d: %g N s", what, n, contact.normal_impulse);
			cr_expect(!solved || contact.scaling > 1.0, "%s, step %d: scaling %g", what, n,
			          contact.scaling);
			cr_expect_eq(world.info.max_penetration, 0.0, "%s, step %d", what, n);
			cr_expect_eq(world.info.retried, false, "%s, step %d: retried", what, n);
		}
		world_end(&world);
	}
}

/* Drops a cube of 1 m to 4 mm from a tenth of its size onto any place of a slab of 100 x 100 x 1 m. */
Test(sizes, small_cube_on_a_slab)
{
	static const double halves[] = {0.5, 0.2, 0.05, 0.02, 0.005, 0.002};
	for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
		for (unsigned seed = 0; seed < 10; seed++) {
			AbutRng rng = {seed};
			const double h = halves[i];
			World world;
			world_begin(&world);
			world_add(&world, make_box(50.0, 50.0, 0.5), 0.0, 0.0, 0.0, -0.5);
			const double x = abut_rng_uniform(&rng, -45.0, 45.0), y = abut_rng_uniform(&rng, -45.0, 45.0);
			world_add(&world, make_cube(2.0 * h), 8000.0 * h * h * h, x, y, 1.2 * h);
			world_make(&world);
			for (int n = 0; n < 60; n++) {
				world_step(&world);
				cr_assert_leq(world.info.max_penetration, 1e-6 * h, "half %g, seed %u, step %d: %g", h,
				              seed, n, world.info.max_penetration);
			}
			const AbutBodyState s = world_body(&world, 1);
			cr_expect_float_eq(s.position[2], h, 1e-6 * h, "half %g, seed %u: at %g", h, seed,
			                   s.position[2]);
			cr_expect_leq(abut_norm3(s.linear_velocity), 1e-6 * sqrt(g * h), "half %g, seed %u", h, seed);
			cr_expect_leq(hypot(s.position[0] - x, s.position[1] - y), 1e-6 * h, "half %g, seed %u", h,
			              seed);
			world_end(&world);
		}
	}
}

/* A box lies on four cubes at its corners: 1 m on 0.3 m down to 1 m on 1 cm, of the same density (mass ratios 1 to
 * 1e6). It rests, and the four carry it. The tolerance is residuals of 1e-10, in units of the masses' geometric mean,
 * which is below the box's mass. */
Test(sizes, large_box_on_small_cubes)
{
	static const double sides[] = {0.3, 0.1, 0.03, 0.01};
	for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
		const double a = sides[i], at = 0.5 - 0.5 * a;
		World world;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		for (int k = 0; k < 4; k++) {
			world_add(&world, make_cube(a), 1000.0 * a * a * a, k % 2 ? at : -at, k / 2 ? at : -at,
			          0.5 * a);
		}
		world_add(&world, make_cube(1.0), 1000.0, 0.0, 0.0, a + 0.5);
		world_make(&world);
		for (int n = 0; n < 50; n++) {
			world_step(&world);
		}
		for (int b = 1; b < 6; b++) {
			const AbutBodyState s = world_body(&world, b);
			const double z = b == 5 ? a + 0.5 : 0.5 * a;
			cr_expect_float_eq(s.position[2], z, 1e-8 * a, "side %g: body %d at %.12g", a, b,
			                   s.position[2]);
			cr_expect_leq(abut_norm3(s.linear_velocity), 1e-8, "side %g: body %d at %g m/s", a, b,
			              abut_norm3(s.linear_velocity));
		}
		double carried = 0.0;
		for (int k = 0; k < abut_contact_count(world.workspace); k++) {
			const AbutContact contact = world_contact(&world, k);
			carried += contact.body_b == 5 && contact.body_a > 0 ? contact.normal_impulse : 0.0;
		}
		cr_expect_float_eq(carried, 1000.0 * 0.01 * g, 1e-6, "side %g: %g N s", a, carried);
		world_end(&world);
	}
}
