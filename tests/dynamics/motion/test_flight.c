/* Compares the step of a body alone with the same step by the solver for all islands, and with the body's own balance
 * of momentum. The start of the paper still uses that solver. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/model/model.h"
#include "dynamics/world.h"

/* Begins a world with a box of three different moments, thrown and twisted. */
static void make_thrown(World *world, unsigned seed, AbutWarmRule rule, double largest_spin)
{
	AbutRng rng = {seed};
	world_begin(world);
	world->def.solver.warm_start_rule = rule;
	AbutBodyDef *body = world_add(world, make_box(0.5, 0.4, 0.3), 2.0, 0.0, 0.0, 0.0);
	abut_rng_rotation(&rng, body->orientation);
	for (int i = 0; i < 3; i++) {
		body->linear_velocity[i] = abut_rng_normal(&rng);
		body->angular_velocity[i] = abut_rng_uniform(&rng, -largest_spin, largest_spin);
		body->force[i] = abut_rng_normal(&rng);
		body->torque[i] = abut_rng_normal(&rng);
	}
	world_make(world);
}

Test(flight, moves_as_the_solver_for_islands_does)
{
	for (unsigned seed = 0; seed < 40; seed++) {
		World flight, path;
		make_thrown(&flight, seed, ABUT_WARM_RULE_EXTRAPOLATED, 30.0);
		make_thrown(&path, seed, ABUT_WARM_RULE_SHIFTED, 30.0);
		for (int n = 0; n < 20; n++) {
			world_step(&flight);
			world_step(&path);
			const AbutBodyState a = world_body(&flight, 0), b = world_body(&path, 0);
			cr_assert(flight.info.tries == 0 && path.info.tries > 0, "seed %u, step %d", seed, n);
			cr_assert_leq(flight.info.iterations, 4, "seed %u, step %d: %d iterations", seed, n,
			              flight.info.iterations);
			cr_assert_leq(flight.info.residual, 1e-11, "seed %u, step %d", seed, n);
			for (int i = 0; i < 3; i++) {
				cr_assert_float_eq(a.linear_velocity[i], b.linear_velocity[i], 1e-9, "seed %u, step %d",
				                   seed, n);
				cr_assert_float_eq(a.angular_velocity[i], b.angular_velocity[i], 1e-7,
				                   "seed %u, step %d: %.15g and %.15g", seed, n, a.angular_velocity[i],
				                   b.angular_velocity[i]);
			}
		}
		world_end(&flight);
		world_end(&path);
	}
}

/* Returns the error of a spin that the solver's residual allows, rad/s. */
static double spin_left(const World *world)
{
	const AbutModel *model = world->model;
	return sqrt(3.0) * world->info.residual / model->bodies[0].least_inertia / model->units.time;
}

/* From one state, both solvers give the same velocities up to their residuals. */
Test(flight, solves_the_equations_of_one_step)
{
	for (unsigned seed = 0; seed < 40; seed++) {
		World flight, path;
		make_thrown(&flight, seed, ABUT_WARM_RULE_EXTRAPOLATED, 40.0);
		make_thrown(&path, seed, ABUT_WARM_RULE_SHIFTED, 40.0);
		world_step(&flight);
		world_step(&path);
		const AbutBodyState a = world_body(&flight, 0), b = world_body(&path, 0);
		for (int i = 0; i < 3; i++) {
			cr_expect_float_eq(a.linear_velocity[i], b.linear_velocity[i], 1e-12, "seed %u: %g", seed,
			                   a.linear_velocity[i] - b.linear_velocity[i]);
			cr_expect_float_eq(a.angular_velocity[i], b.angular_velocity[i],
			                   1e-12 * 40.0 + spin_left(&flight) + spin_left(&path), "seed %u: %g", seed,
			                   a.angular_velocity[i] - b.angular_velocity[i]);
			cr_expect_float_eq(a.position[i], b.position[i], 1e-12, "seed %u", seed);
		}
		world_end(&flight);
		world_end(&path);
	}
}

/* A body too fast for a whole step is taken in halves, like any island. */
Test(flight, takes_halves_where_it_turns_too_far)
{
	int halved = 0;
	for (unsigned seed = 0; seed < 20; seed++) {
		World world;
		make_thrown(&world, seed, ABUT_WARM_RULE_EXTRAPOLATED, 150.0);
		const AbutBodyState before = world_body(&world, 0);
		world_step(&world);
		const AbutBodyState after = world_body(&world, 0);
		cr_expect(world.info.exact && world.info.tries == 0, "seed %u: %d tries", seed, world.info.tries);
		halved += world.info.halvings > 0;
		for (int i = 0; i < 3; i++) {
			const double gravity = i == 2 ? -9.81 : 0.0;
			const double change = 0.01 * (world.bodies[0].force[i] / 2.0 + gravity);
			cr_expect_float_eq(after.linear_velocity[i], before.linear_velocity[i] + change, 1e-12,
			                   "seed %u: %g m/s", seed, after.linear_velocity[i]);
		}
		world_end(&world);
	}
	cr_expect_gt(halved, 5, "%d of 20 steps in halves", halved);
}
