/* Compares quasi-static steps with their closed forms: every step begins at rest. */
#include <criterion/criterion.h>
#include <math.h>

#include "dynamics/world.h"

static const double g = 9.81, dt = 0.05;

static void begin(World *world)
{
	world_begin(world);
	world->def.timestep = dt;
	world->def.quasi_static = true;
}

/* Each step falls by g dt^2, whatever happened before. A velocity that is set is forgotten. */
Test(quasi_static, falls_as_far_in_every_step)
{
	World world;
	begin(&world);
	AbutBodyDef *body = world_add(&world, make_box(0.1, 0.2, 0.3), 2.0, 0.0, 0.0, 10.0);
	body->linear_velocity[0] = 3.0;
	body->angular_velocity[1] = 2.0;
	world_make(&world);
	for (int step = 1; step <= 20; step++) {
		world_step(&world);
		const AbutBodyState at = world_body(&world, 0);
		cr_expect_float_eq(at.position[0], 0.0, 1e-12);
		cr_expect_float_eq(at.position[2], 10.0 - step * g * dt * dt, 1e-11);
		cr_expect_float_eq(at.orientation[0], 1.0, 1e-12);
		cr_expect_float_eq(at.linear_velocity[2], -g * dt, 1e-11);
	}
	world_end(&world);
}

/* A torque rotates the body by sin(angle) = dt^2 torque / J in every step: c J w = dt torque, c = cos(angle / 2), dt w
 * / 2 = sin(angle / 2). */
Test(quasi_static, turns_as_far_in_every_step)
{
	World world;
	begin(&world);
	AbutBodyDef *body = world_add(&world, make_cube(0.6), 1.0, 0.0, 0.0, 10.0);
	body->torque[2] = 4.0;
	world_make(&world);
	const double inertia = 0.06, angle = asin(dt * dt * 4.0 / inertia);
	for (int step = 1; step <= 10; step++) {
		world_step(&world);
		const AbutBodyState at = world_body(&world, 0);
		cr_expect_float_eq(2.0 * atan2(at.orientation[3], at.orientation[0]), step * angle, 1e-9);
	}
	world_end(&world);
}

/* A force m / dt^2 d moves the body by d. Against a wall it presses like a spring: m / dt^2 times the missing way. */
Test(quasi_static, a_push_is_a_spring_to_a_place)
{
	World world;
	begin(&world);
	world_add(&world, make_box(0.5, 0.5, 0.5), 0.0, 1.0, 0.0, 0.0);
	AbutBodyDef *ball = world_add(&world, make_sphere(0.1), 2.0, 0.3, 0.0, 0.0);
	const double stiffness = 2.0 / (dt * dt), way = 0.06;
	ball->force[0] = stiffness * way;
	ball->force[2] = 2.0 * g;
	world_make(&world);
	world_step(&world);
	cr_expect_float_eq(world_body(&world, 1).position[0], 0.36, 1e-11);
	world_step(&world);
	cr_expect_float_eq(world_body(&world, 1).position[0], 0.4, 1e-9);
	cr_expect_float_eq(world_touch(&world, 0, 1).normal_impulse, dt * stiffness * 0.02, 1e-7);
	world_step(&world);
	cr_expect_float_eq(world_body(&world, 1).position[0], 0.4, 1e-9);
	cr_expect_float_eq(world_touch(&world, 0, 1).normal_impulse, dt * stiffness * way, 1e-7);
	world_end(&world);
}

/* On a floor, a push within the friction limit moves nothing. A larger one moves the body by dt^2 (f - mu m g) / m in
 * each step. */
Test(quasi_static, slides_by_what_friction_leaves)
{
	for (int beyond = 0; beyond < 2; beyond++) {
		World world;
		begin(&world);
		world.def.friction = 0.5;
		world_add_floor(&world, 0.0, 0.0, 1.0);
		AbutBodyDef *body = world_add(&world, make_cube(0.4), 1.0, 0.0, 0.0, 0.2);
		body->force[0] = beyond ? 6.0 : 4.0;
		world_make(&world);
		const double way = beyond ? dt * dt * (6.0 - 0.5 * g) : 0.0;
		for (int step = 1; step <= 10; step++) {
			world_step(&world);
			cr_expect_float_eq(world_body(&world, 1).position[0], step * way, 1e-8, "step %d of %g N", step,
			                   body->force[0]);
		}
		world_end(&world);
	}
}
