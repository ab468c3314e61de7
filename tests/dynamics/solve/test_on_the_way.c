/* Tests motion between the ends of a step: bodies that change direction, accelerate, or are thrown by a lever within a
 * step. */
#include <criterion/criterion.h>
#include <math.h>

#include "dynamics/world.h"

/* A plate deflects a ball at 150 m/s by a right angle. The ball must then hit the wall beside it, which is neither on
 * its first way nor at the end of the step. */
Test(on_the_way, a_body_that_turns_aside_passes_through_nothing)
{
	for (int i = 0; i < 8; i++) {
		World world;
		world_begin(&world);
		world.def.gravity[2] = 0.0;
		world.def.friction = 0.0;
		world.def.timestep = 0.02;
		turn_about(0.0, 0.0, 1.0, -0.25 * M_PI,
		           world_add(&world, make_box(0.05, 2.0, 1.0), 0.0, 0.9, 0.0, 0.0)->orientation);
		world_add(&world, make_box(2.0, 0.03, 2.0), 0.0, 2.0, 0.6, 0.0);
		world_add(&world, make_sphere(0.1), 1.0, 0.0, 0.0, 0.0)->linear_velocity[0] = 80.0 + 10.0 * i;
		world_make(&world);
		for (int n = 0; n < 4; n++) {
			world_step(&world);
			cr_assert_lt(world_body(&world, 2).position[1], 0.6 - 0.03 - 0.1 + 1e-9, "%d m/s, step %d",
			             80 + 10 * i, n);
		}
		cr_assert_gt(world_body(&world, 2).position[1], 0.4, "%d m/s: not turned aside", 80 + 10 * i);
		world_end(&world);
	}
}

/* A body at rest falls through more than the thickness of a slab in one step. */
Test(on_the_way, a_fall_from_rest_ends_on_what_is_below)
{
	World world;
	world_begin(&world);
	world.def.timestep = 1.0;
	world_add(&world, make_box(5.0, 5.0, 0.5), 0.0, 0.0, 0.0, -0.5);
	world_add(&world, make_sphere(0.1), 1.0, 0.0, 0.0, 5.0);
	world_make(&world);
	for (int n = 0; n < 3; n++) {
		world_step(&world);
		cr_assert_gt(world_body(&world, 1).position[2], 0.1 - 1e-9, "step %d", n);
	}
	cr_assert_float_eq(world_body(&world, 1).position[2], 0.1, 1e-8);
	world_end(&world);
}

/* A heavy hammer on the short arm of a lever throws the ball on the long arm faster than any body before. The impact
 * loses energy. Later, a contact that moves around a curve may gain some, of second order in the timestep, because its
 * force acts along the normal at the end of the step. */
Test(on_the_way, a_lever_may_throw)
{
	static const double turning = 1e-4;
	World world;
	world_begin(&world);
	world.def.timestep = 0.005;
	world_add(&world, make_box(0.05, 1.0, 0.25), 0.0, 0.0, 0.0, 0.25);
	world_add(&world, make_box(2.5, 0.1, 0.02), 1.0, 2.0, 0.0, 0.521);
	AbutBodyDef *hammer = world_add(&world, make_cube(0.2), 1000.0, -0.4, 0.0, 0.66);
	hammer->linear_velocity[2] = -10.0;
	world_add(&world, make_sphere(0.1), 0.05, 4.3, 0.0, 0.645);
	world_make(&world);
	double energy = abut_state_energy(world.model, world.state), fastest = 0.0;
	for (int n = 0; n < 20; n++) {
		world_step(&world);
		const double now = abut_state_energy(world.model, world.state);
		cr_assert_leq(now, energy * (1.0 + turning), "step %d: %g after %g J", n, now, energy);
		energy = now;
		fastest = fmax(fastest, world_body(&world, 3).linear_velocity[2]);
	}
	cr_assert_gt(fastest, 30.0, "the ball got %g m/s", fastest);
	world_end(&world);
}
