/* Tests the benefit of the start from the last solution, by known counts of iterations that a wrong start would exceed.
 */
#include <criterion/criterion.h>

#include "dynamics/world.h"

/* At rest the last solution remains the solution. Its residual must not be taken for motion. */
Test(warm_start, rest_costs_no_iteration)
{
	World world;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	turn_about(0.0, 1.0, 0.0, 1.5707963267948966,
	           world_add(&world, make_capsule(0.25, 0.5), 1.0, 0.0, 0.0, 0.25)->orientation);
	world_make(&world);
	world_run(&world, 100);
	for (int i = 0; i < 500; i++) {
		world_step(&world);
		cr_assert_eq(world.info.iterations, 0, "step %d: %d", i, world.info.iterations);
	}
	world_end(&world);
}

/* A box rests by friction and withstands small pushes. Contacts keep their modes and the equations are nearly linear,
 * so the regularisation of friction must not cost a third iteration. */
Test(warm_start, small_pushes_cost_two_iterations)
{
	World world;
	AbutRng rng = {17};
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_box(0.5, 0.5, 0.5), 1.0, 0.0, 0.0, 0.5);
	world_make(&world);
	world_run(&world, 20);
	for (int i = 0; i < 500; i++) {
		double force[3], torque[3];
		for (int j = 0; j < 3; j++) {
			force[j] = abut_rng_uniform(&rng, -0.5, 0.5);
			torque[j] = abut_rng_uniform(&rng, -0.1, 0.1);
		}
		abut_state_set_input(world.model, world.state, 1, force, torque);
		world_step(&world);
		cr_assert_leq(world.info.iterations, 2, "step %d: %d", i, world.info.iterations);
	}
	world_end(&world);
}

/* The start of the paper leads to the same motion by another way: through the path, in every step. */
Test(warm_start, shifted_start_gives_the_same_motion)
{
	for (uint64_t seed = 0; seed < 10; seed++) {
		World worlds[2];
		for (int rule = 0; rule < 2; rule++) {
			AbutRng rng = {seed};
			World *world = &worlds[rule];
			world_begin(world);
			world->def.solver.warm_start_rule = (AbutWarmRule)rule;
			world_add_floor(world, 0.0, 0.0, 1.0);
			abut_rng_rotation(&rng, world_add(world, make_cube(1.0), 1.0, 0.0, 0.0, 1.0)->orientation);
			world_make(world);
		}
		for (int i = 0; i < 40; i++) {
			world_step(&worlds[0]);
			world_step(&worlds[1]);
			cr_assert_gt(worlds[1].info.tries, 0, "seed %d, step %d", (int)seed, i);
			const AbutBodyState a = world_body(&worlds[0], 1), b = world_body(&worlds[1], 1);
			for (int j = 0; j < 3; j++) {
				cr_assert_float_eq(a.position[j], b.position[j], 1e-7, "seed %d, step %d", (int)seed,
				                   i);
			}
		}
		world_end(&worlds[0]);
		world_end(&worlds[1]);
	}
}
