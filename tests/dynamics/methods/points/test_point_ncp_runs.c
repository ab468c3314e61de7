/* Tests longer runs of method point-ncp: all steps are solved, and threads, snapshots and memory work as in the other
 * methods. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/watched_steps.h"
#include "dynamics/world.h"

/* Boxes, balls and capsules, and heaps of balls and capsules, are thrown at a slope at some 10 m/s. Every step is
 * solved. */
Test(point_ncp_runs, thrown_bodies_are_solved)
{
	long steps = 0, retried = 0, iterations = 0;
	for (unsigned seed = 0; seed < 200; seed++) {
		const unsigned kind = seed % 5;
		AbutRng rng = {seed};
		World world;
		world_begin_method(&world, ABUT_METHOD_POINT_NCP);
		world_add_floor(&world, 0.1, 0.0, 1.0);
		for (int i = 0; i < (kind < 3 ? 1 : 5); i++) {
			const bool is_rod = kind == 2 || (kind == 4 && i == 0);
			AbutShape *shape = kind == 0 ? make_box(0.5, 0.3, 0.2)
			                   : is_rod  ? make_capsule(0.2, 0.8)
			                             : make_sphere(0.4);
			AbutBodyDef *body =
			    world_add(&world, shape, abut_rng_uniform(&rng, 0.5, 3.5), 0.0, 0.0, 1.0 + 0.9 * i);
			abut_rng_rotation(&rng, body->orientation);
			for (int k = 0; k < 3; k++) {
				body->linear_velocity[k] = 6.0 * abut_rng_normal(&rng);
				body->angular_velocity[k] = 3.0 * abut_rng_normal(&rng);
			}
		}
		world_make(&world);
		for (int k = 0; k < 150; k++) {
			cr_assert_eq(world_try(&world) == ABUT_OUTCOME_FAILED, false, "seed %u, step %d", seed, k);
			steps++;
			retried += world.info.retried;
			iterations += world.info.iterations;
		}
		world_end(&world);
	}
	cr_log_info("%ld steps, %ld retried, %.2f iterations a step", steps, retried,
	            (double)iterations / (double)steps);
}

/* Begins a world with heaps of balls and capsules. */
static void begin_heaps(World *world)
{
	world_begin_method(world, ABUT_METHOD_POINT_NCP);
	world_add_floor(world, 0.0, 0.0, 1.0);
	for (int i = 0; i < 8; i++) {
		AbutBodyDef *body =
		    world_add(world, i % 4 == 3 ? make_capsule(0.2, 0.5) : make_sphere(0.3), 1.0 + 0.1 * i,
		              1.5 * (i % 2) + 0.05 * i, 0.03 * i, 0.4 + 0.4 * (i - i % 2));
		body->angular_velocity[i % 3] = 1.0;
	}
}

Test(point_ncp_runs, threads_snapshots_and_steps_change_no_bit)
{
	World worlds[2];
	for (int i = 0; i < 2; i++) {
		begin_heaps(&worlds[i]);
		world_make(&worlds[i]);
	}
	abut_workspace_destroy(worlds[1].workspace);
	cr_assert_eq(abut_workspace_create_threaded(worlds[1].model, 3, &worlds[1].workspace, NULL), ABUT_OK);
	for (int step = 0; step < 150; step++) {
		world_step(&worlds[0]);
		if (step == 80) { /* the second world goes on from the first one's numbers */
			const size_t n = abut_state_snapshot_size(worlds[0].model, worlds[0].state);
			double *numbers = malloc(n * sizeof *numbers);
			cr_assert_eq(abut_state_snapshot(worlds[0].model, worlds[0].state, numbers), ABUT_OK);
			cr_assert_eq(abut_state_restore(worlds[1].model, worlds[1].state, n, numbers, NULL), ABUT_OK);
			free(numbers);
		} else {
			world_step(&worlds[1]);
		}
		for (int body = 1; body < 9; body++) {
			const AbutBodyState a = world_body(&worlds[0], body), b = world_body(&worlds[1], body);
			cr_assert_eq(memcmp(&a, &b, sizeof a), 0, "step %d, body %d", step, body);
		}
	}
	world_end(&worlds[0]);
	world_end(&worlds[1]);
}

Test(point_ncp_runs, allocates_nothing_in_a_step)
{
	World world;
	begin_heaps(&world);
	world_make(&world);
	world_run_watched(&world, 150);
	world_end(&world);
}
