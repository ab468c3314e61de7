/* Tests superellipsoids in motion: equality with the ellipsoid for exponent 2, rest and sliding, energy, allocations of
 * a step, threads, and functions that break. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/lcp.h"
#include "allocation_watch.h"
#include "base/vec3.h"
#include "dynamics/world.h"

static AbutShape *superellipsoid(double x, double y, double z, double a, double b)
{
	AbutShape *shape = NULL;
	AbutError error = {0};
	const double radii[3] = {x, y, z}, exponents[2] = {a, b};
	cr_assert_eq(abut_shape_create_superellipsoid(radii, exponents, &shape, &error), ABUT_OK, "%s", error.message);
	return shape;
}

/* Adds a tumbling body with pose and spin from the seed. */
static void add_drop(World *world, AbutShape *shape, uint64_t seed, double height)
{
	AbutRng rng = {seed};
	AbutBodyDef *body = world_add(world, shape, 1.0, 0.0, 0.0, height);
	abut_rng_rotation(&rng, body->orientation);
	for (int i = 0; i < 3; i++) {
		body->angular_velocity[i] = abut_rng_normal(&rng);
		body->linear_velocity[i] = 0.3 * abut_rng_normal(&rng);
	}
}

/* Two inequalities describe the same set, so that the motion is the same. Rolling ellipsoids diverge like any two
 * trajectories: from the tolerance of a step, 1e-10, to 1e-7 after 60 steps. */
Test(smooth, exponent_2_moves_as_the_ellipsoid)
{
	for (uint64_t seed = 0; seed < 20; seed++) {
		World worlds[2];
		for (int k = 0; k < 2; k++) {
			AbutShape *shape = superellipsoid(0.5, 0.4, 0.3, 2.0, 2.0);
			if (k == 1) {
				abut_shape_destroy(shape);
				cr_assert_eq(abut_shape_create_ellipsoid((const double[]){0.5, 0.4, 0.3}, &shape, NULL),
				             ABUT_OK);
			}
			world_begin(&worlds[k]);
			world_add_floor(&worlds[k], 0.0, 0.0, 1.0);
			add_drop(&worlds[k], shape, seed, 0.7);
			world_make(&worlds[k]);
		}
		for (int step = 0; step < 60; step++) {
			world_step(&worlds[0]);
			world_step(&worlds[1]);
			const AbutBodyState a = world_body(&worlds[0], 1), b = world_body(&worlds[1], 1);
			for (int i = 0; i < 3; i++) {
				cr_assert_float_eq(a.position[i], b.position[i], 1e-7, "seed %d, step %d: %g",
				                   (int)seed, step, a.position[i] - b.position[i]);
				cr_assert_float_eq(a.angular_velocity[i], b.angular_velocity[i], 1e-5,
				                   "seed %d, step %d", (int)seed, step);
			}
		}
		world_end(&worlds[0]);
		world_end(&worlds[1]);
	}
}

/* The base is 0: the floor, 1: a box on it, 2: another superellipsoid. Energy does not grow, and nothing sinks in.
 * Reports the share of exact steps. */
Test(smooth, drops_lose_energy_and_do_not_sink)
{
	static const double exponents[][2] = {{2.0, 2.0}, {3.0, 3.0}, {4.0, 4.0}, {2.0, 6.0}, {8.0, 8.0}};
	long steps = 0, exact = 0;
	for (int base = 0; base < 3; base++) {
		for (uint64_t seed = 0; seed < 10; seed++) {
			const double *e = exponents[seed % 5];
			World world;
			world_begin(&world);
			world_add_floor(&world, 0.0, 0.0, 1.0);
			if (base == 1) {
				world_add(&world, make_box(2.0, 2.0, 0.5), 0.0, 0.0, 0.0, 0.5);
			} else if (base == 2) {
				world_add(&world, superellipsoid(0.8, 0.8, 0.4, e[0], e[1]), 3.0, 0.0, 0.0, 0.4);
			}
			add_drop(&world, superellipsoid(0.4, 0.35, 0.25, e[0], e[1]), seed, base == 0 ? 0.7 : 1.7);
			world_make(&world);
			double before = abut_state_energy(world.model, world.state);
			const double start = before;
			for (int step = 0; step < 150; step++) {
				world_step(&world);
				const double energy = abut_state_energy(world.model, world.state);
				/* free flight at this timestep changes the discrete energy by m (g dt)^2 / 2 a step at
				 * most */
				cr_assert_leq(energy, before + 0.01, "base %d, seed %d, step %d: %g from %g", base,
				              (int)seed, step, energy, before);
				cr_assert_leq(world.info.max_penetration, 1e-9, "base %d, seed %d, step %d", base,
				              (int)seed, step);
				before = energy;
				steps++;
				exact += world.info.exact;
			}
			cr_assert_lt(before, start, "base %d, seed %d", base, (int)seed);
			world_end(&world);
		}
	}
	printf("smooth: %ld of %ld steps exact\n", exact, steps);
	cr_assert_geq(exact, steps - steps / 50, "%ld of %ld steps are exact", exact, steps);
}

/* Sheets and needles of 1:1000, from round to nearly boxes, drop on the floor and each other. All steps are solved. */
Test(smooth, thin_ones_step)
{
	static const double exponents[][2] = {{2.0, 2.0}, {4.0, 4.0}, {9.0, 2.0}, {3.0, 20.0}};
	for (uint64_t seed = 0; seed < 8; seed++) {
		const double *e = exponents[seed % 4], wide = seed < 4 ? 0.5 : 0.0005;
		World world;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		add_drop(&world, superellipsoid(0.5, wide, 0.0005, e[0], e[1]), seed, 0.75);
		add_drop(&world, superellipsoid(0.5, wide, 0.0005, e[0], e[1]), seed + 100, 2.1);
		world_make(&world);
		for (int step = 0; step < 70; step++) {
			world_try(&world);
			cr_assert_neq(world.info.outcome, ABUT_OUTCOME_FAILED, "seed %d, step %d: %d tries", (int)seed,
			              step, world.info.tries);
			cr_assert_leq(world.info.max_penetration, 1e-6, "seed %d, step %d: %g", (int)seed, step,
			              world.info.max_penetration);
		}
		world_end(&world);
	}
}

/* On its flat side the body stays where it was put, to the tolerance of a step. */
Test(smooth, stays_at_rest)
{
	World world;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, superellipsoid(0.5, 0.4, 0.3, 4.0, 4.0), 1.0, 0.0, 0.0, 0.3);
	world_make(&world);
	world_run(&world, 300);
	const AbutBodyState at = world_body(&world, 1);
	cr_assert_float_eq(at.position[2], 0.3, 1e-9, "%.12g", at.position[2]);
	for (int i = 0; i < 3; i++) {
		cr_assert_float_eq(at.linear_velocity[i], 0.0, 1e-9, "%g", at.linear_velocity[i]);
		cr_assert_float_eq(at.angular_velocity[i], 0.0, 1e-8, "%g", at.angular_velocity[i]);
	}
	cr_assert_float_eq(world_touch(&world, 0, 1).normal_impulse, 9.81 * world.def.timestep, 1e-8);
	world_end(&world);
}

/* Without friction on a slope the body accelerates by g sin(tilt) along it, by the discrete law. */
Test(smooth, slides_down_a_slope)
{
	const double tilt = 0.3;
	World world;
	world_begin(&world);
	world.def.friction = 0.0;
	world_add_floor(&world, -sin(tilt), 0.0, cos(tilt));
	AbutBodyDef *body =
	    world_add(&world, superellipsoid(0.5, 0.5, 0.5, 2.0, 2.0), 1.0, -0.5 * sin(tilt), 0.0, 0.5 * cos(tilt));
	turn_about(0.0, 1.0, 0.0, -tilt, body->orientation);
	world_make(&world);
	world_run(&world, 100);
	const AbutBodyState at = world_body(&world, 1);
	const double speed = -(at.linear_velocity[0] * cos(tilt) + at.linear_velocity[2] * sin(tilt));
	cr_assert_float_eq(speed, 9.81 * sin(tilt) * 100.0 * world.def.timestep, 1e-6, "%.9g", speed);
	world_end(&world);
}

/* Condensed and dense algebra give the same motion. */
Test(smooth, condensed_is_dense)
{
	World worlds[2];
	for (int k = 0; k < 2; k++) {
		world_begin(&worlds[k]);
		worlds[k].def.solver.linear_solver = k ? ABUT_LINEAR_SOLVER_DENSE : ABUT_LINEAR_SOLVER_CONDENSED;
		world_add_floor(&worlds[k], 0.0, 0.0, 1.0);
		add_drop(&worlds[k], superellipsoid(0.5, 0.4, 0.3, 4.0, 3.0), 1, 0.6);
		add_drop(&worlds[k], superellipsoid(0.3, 0.4, 0.3, 3.0, 3.0), 2, 1.4);
		world_make(&worlds[k]);
	}
	for (int step = 0; step < 60; step++) {
		world_step(&worlds[0]);
		world_step(&worlds[1]);
		for (int body = 1; body < 3; body++) {
			const AbutBodyState a = world_body(&worlds[0], body), b = world_body(&worlds[1], body);
			for (int i = 0; i < 3; i++) {
				cr_assert_float_eq(a.position[i], b.position[i], 1e-7, "step %d", step);
			}
		}
	}
	world_end(&worlds[0]);
	world_end(&worlds[1]);
}

static void begin_pile(World *world)
{
	world_begin(world);
	world_add_floor(world, 0.0, 0.0, 1.0);
	for (int i = 0; i < 4; i++) {
		add_drop(world, superellipsoid(0.3, 0.25, 0.2, 2.0 + i, 3.0), (uint64_t)i, 0.4 + 0.7 * i);
	}
	add_drop(world, make_box(0.3, 0.2, 0.2), 9, 3.3);
}

Test(smooth, a_step_allocates_nothing)
{
	World world;
	begin_pile(&world);
	world_make(&world);
	for (int step = 0; step < 150; step++) {
		AbutStepInfo info = {.tries = 0};
		watch_begin(0);
		cr_assert_eq(abut_step(world.model, world.state, world.workspace, &info), ABUT_OK);
		watch_end();
		cr_assert_eq(watch.calls, 0, "%ld allocations in step %d", watch.calls, step);
		cr_assert_eq(watch.live, 0, "step %d", step);
	}
	world_end(&world);
}

/* Two separate heaps, on one thread and on two, have the same bits. */
Test(smooth, threads_change_no_bit)
{
	World worlds[2];
	for (int k = 0; k < 2; k++) {
		begin_pile(&worlds[k]);
		for (int i = 0; i < 4; i++) {
			AbutBodyDef *body = world_add(&worlds[k], superellipsoid(0.3, 0.25, 0.2, 3.0, 2.0 + i), 1.0,
			                              10.0, 0.1 * i, 0.4 + 0.7 * i);
			body->angular_velocity[0] = 1.0;
		}
		world_make(&worlds[k]);
	}
	abut_workspace_destroy(worlds[1].workspace);
	cr_assert_eq(abut_workspace_create_threaded(worlds[1].model, 2, &worlds[1].workspace, NULL), ABUT_OK);
	for (int step = 0; step < 150; step++) {
		world_try(&worlds[0]);
		world_try(&worlds[1]);
	}
	for (int body = 1; body < 10; body++) {
		const AbutBodyState a = world_body(&worlds[0], body), b = world_body(&worlds[1], body);
		cr_assert_eq(memcmp(&a, &b, sizeof a), 0, "body %d", body);
	}
	world_end(&worlds[0]);
	world_end(&worlds[1]);
}

/* A ball whose functions fail when a switch is set, and count their calls. */
typedef struct Breaking {
	bool broken;
	long *asked; /* counts evaluations unless NULL */
} Breaking;

static double ball(const double *u)
{
	return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + 0.25 * u[3] * u[3]);
}

static void breaking_value(const void *data, const double *u, double *g)
{
	const Breaking *breaking = data;
	if (breaking->asked) {
		(*breaking->asked)++;
	}
	g[0] = breaking->broken ? (double)NAN : ball(u) - sqrt(0.5) * u[3];
}

static void breaking_gradient(const void *data, const double *u, double *G)
{
	(void)data;
	const double size = ball(u);
	for (int j = 0; j < 4; j++) {
		G[j] = j < 3 ? u[j] / size : 0.25 * u[3] / size - sqrt(0.5);
	}
}

static void breaking_hessian(const void *data, const double *u, const double *weight, double *H)
{
	(void)data;
	const double size = ball(u), n[4] = {u[0], u[1], u[2], 0.25 * u[3]};
	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < 4; j++) {
			const double own = i != j ? 0.0 : i < 3 ? 1.0 : 0.25;
			H[4 * i + j] = weight[0] * (own / size - n[i] * n[j] / (size * size * size));
		}
	}
}

static AbutShape *breaking_ball(Breaking *data, double bounding_radius)
{
	const AbutSmooth functions = {.n_rows = 1,
	                              .value = breaking_value,
	                              .gradient = breaking_gradient,
	                              .hessian = breaking_hessian,
	                              .data = data,
	                              .bounding_radius = bounding_radius};
	AbutShape *shape = NULL;
	AbutError error = {0};
	cr_assert_eq(abut_shape_create_smooth(&functions, NULL, &shape, &error), ABUT_OK, "%s", error.message);
	return shape;
}

/* The step fails, names the shape whose functions broke, and leaves the state unchanged. Once the functions work again,
 * the run continues. */
Test(smooth, functions_that_break_are_named)
{
	Breaking data = {.broken = false};
	AbutShape *shape = breaking_ball(&data, 0.5);
	World world;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, shape, 1.0, 0.0, 0.0, 0.5);
	world_make(&world);
	world_run(&world, 5);
	const AbutBodyState before = world_body(&world, 1);
	data.broken = true;
	AbutStepInfo info = {.tries = 0};
	char text[256];
	cr_assert_eq(abut_step(world.model, world.state, world.workspace, &info), ABUT_OK);
	cr_assert_eq(info.outcome, ABUT_OUTCOME_FAILED);
	cr_assert_eq(info.broken_body, 2);
	abut_step_explain(world.model, world.state, &info, text, sizeof text);
	cr_assert(strstr(text, "not finite"), "%s", text);
	const AbutBodyState after = world_body(&world, 1);
	cr_assert_eq(memcmp(&before, &after, sizeof before), 0);
	data.broken = false;
	world_run(&world, 5);
	cr_assert_eq(world.info.broken_body, 0);
	world_end(&world);
}

/* Method lcp supports a superellipsoid at its furthest point, with a derivative. If the functions break, the step
 * fails, on the floor and on a box. */
Test(smooth, lcp_takes_furthest_points)
{
	World world;
	double J[ABUT_LCP_ROWS * ABUT_LCP_COLUMNS];
	world_begin_method(&world, ABUT_METHOD_LCP);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, superellipsoid(0.5, 0.4, 0.3, 2.5, 2.5), 1.0, 0.0, 0.0, 0.3);
	world_make(&world);
	world_run(&world, 50);
	cr_assert_float_eq(world_body(&world, 1).position[2], 0.3, 1e-9);
	cr_assert_float_eq(world_touch(&world, 0, 1).normal_impulse, 9.81 * 0.01, 1e-9);
	cr_assert_eq(abut_lcp_gradient(world.model, world.workspace, J, NULL), ABUT_OK);
	world_end(&world);
	for (int on_box = 0; on_box < 2; on_box++) {
		Breaking data = {.broken = false};
		world_begin_method(&world, ABUT_METHOD_LCP);
		if (on_box) {
			world_add(&world, make_box(1.0, 1.0, 0.5), 0.0, 0.0, 0.0, -0.5);
		} else {
			world_add_floor(&world, 0.0, 0.0, 1.0);
		}
		world_add(&world, breaking_ball(&data, 0.5), 1.0, 0.0, 0.0, 0.5);
		world_make(&world);
		world_run(&world, 5);
		data.broken = true;
		cr_assert_eq(world_try(&world), ABUT_OUTCOME_FAILED, "on box %d", on_box);
		world_end(&world);
	}
}

/* At rest, the last solution answers all queries of the shape. A step needs a few evaluations, and none of the programs
 * that find furthest points, which take a dozen each. */
Test(smooth, rest_asks_little_of_the_functions)
{
	long asked = 0;
	Breaking data = {.asked = &asked};
	AbutShape *shape = breaking_ball(&data, 0.6); /* so that the spheres in and about it do not decide */
	World world;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, shape, 1.0, 0.0, 0.0, 0.52);
	world_make(&world);
	world_run(&world, 50);
	for (int step = 0; step < 20; step++) {
		asked = 0;
		world_step(&world);
		cr_assert_leq(asked, 4, "step %d: %ld evaluations, %d iterations", step, asked, world.info.iterations);
	}
	world_end(&world);
}
