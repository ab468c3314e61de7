/* Tests scenes whose numbers are far from 1: positions far from the origin, and speeds that are unrelated to the
 * scene's own scale. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/vec3.h"
#include "dynamics/world.h"

/* A stack of three boxes, 1 km to 100 000 km away along one axis, on a floor that is moved too or stays. The stack
 * rests up to the rounding of its positions: eps X per step, as amplified by the solver. */
Test(far, stack)
{
	for (double X = 1e3; X < 2e8; X *= 10.0) {
		for (int variant = 0; variant < 5; variant++) {
			const double x = variant == 0 || variant > 2 ? X : 0.0,
			             y = variant == 1 || variant > 2 ? X : 0.0,
			             z = variant == 2 || variant == 4 ? X : 0.0;
			World world;
			world_begin(&world);
			if (variant % 2) {
				world_add(&world, make_box(5.0, 5.0, 0.5), 0.0, x, y, z - 0.5);
			} else {
				world_add_floor(&world, 0.0, 0.0, 1.0)->position[2] = z;
			}
			for (int i = 0; i < 3; i++) {
				world_add(&world, make_cube(1.0), 1.0 + i, x, y, z + 0.5 + i);
			}
			world_make(&world);
			const double rounding = X * 0x1p-52, speed = 1e-8 + 300.0 * rounding;
			for (int n = 0; n < 50; n++) {
				world_step(&world);
				cr_expect_eq(world.info.outcome, ABUT_OUTCOME_EXACT, "%g m, variant %d, step %d: %s", X,
				             variant, n, abut_outcome_name(world.info.outcome));
				cr_expect_not(world.info.retried, "%g m, variant %d, step %d", X, variant, n);
				cr_expect_leq(world.info.max_penetration, 1e-8 + 10.0 * rounding,
				              "%g m, variant %d, step %d: %g", X, variant, n,
				              world.info.max_penetration);
			}
			for (int i = 0; i < 3; i++) {
				const AbutBodyState s = world_body(&world, 1 + i);
				const double off[3] = {s.position[0] - x, s.position[1] - y,
				                       s.position[2] - z - 0.5 - i};
				cr_expect_leq(abut_norm3(off), 1e-7 + 10.0 * rounding,
				              "%g m, variant %d, body %d: off by %g", X, variant, i, abut_norm3(off));
				cr_expect_leq(abut_norm3(s.linear_velocity), speed, "%g m, variant %d, body %d: %g m/s",
				              X, variant, i, abut_norm3(s.linear_velocity));
			}
			world_end(&world);
		}
	}
}

/* Without gravity, one cube moves towards another at a tiny speed and is pushed by 10 N. The tiny speed must not become
 * the unit of the solve. The push is part of the definition, or begins later, so that the model cannot know of it. */
Test(slow, tiny_speed_and_a_push)
{
	for (double v = 1e-2; v > 1e-13; v *= 0.1) {
		for (int later = 0; later < 2; later++) {
			World world;
			int iterations = 0, steps = 60;
			const double push[3] = {-10.0, 0.0, 0.0}, none[3] = {0.0, 0.0, 0.0};
			world_begin(&world);
			world.def.gravity[2] = 0.0;
			world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.0);
			AbutBodyDef *body = world_add(&world, make_cube(1.0), 1.0, 1.05, 0.0, 0.0);
			body->linear_velocity[0] = -v;
			if (!later) {
				abut_copy3(push, body->force);
			}
			world_make(&world);
			if (later) {
				world_run(&world, 5);
				cr_assert_eq(abut_state_set_input(world.model, world.state, 1, push, none), ABUT_OK);
			}
			for (int n = 0; n < steps; n++) {
				world_step(&world);
				iterations += world.info.iterations;
				cr_expect_not(world.info.retried, "%g m/s, later %d, step %d", v, later, n);
			}
			cr_expect_leq(iterations, 4 * steps, "%g m/s, later %d: %d iterations in %d steps", v, later,
			              iterations, steps);
			/* momentum of both bodies: initial velocity and 60 steps of the push */
			const double sum =
			    world_body(&world, 0).linear_velocity[0] + world_body(&world, 1).linear_velocity[0];
			cr_expect_float_eq(sum, -v - 60 * 0.01 * 10.0, 1e-7, "%g m/s, later %d: %g", v, later, sum);
			cr_expect_float_eq(world_body(&world, 0).linear_velocity[0], 0.5 * sum, 1e-7,
			                   "%g m/s, later %d: they have met", v, later);
			world_end(&world);
		}
	}
}
