/* Tests starts of round contacts in steps with large turns by counting iterations. Rolling is steady, so the only
 * errors of the start are place and normal of the last solution, if they turn with the body, which they should not. */
#include <criterion/criterion.h>
#include <math.h>

#include "dynamics/world.h"

/* Begins a world with a round body of radius 0.5 m that rolls along x without slip, by `half_turn` per step. */
static void make_rolling(World *world, AbutShape *shape, double half_turn)
{
	const double spin = 2.0 * half_turn / 0.05;
	world_begin(world);
	world->def.timestep = 0.05;
	world_add_floor(world, 0.0, 0.0, 1.0);
	AbutBodyDef *body = world_add(world, shape, 1.0, 0.0, 0.0, 0.5);
	turn_about(1.0, 0.0, 0.0, 1.5707963267948966, body->orientation); /* the cylinder's axis along y */
	body->linear_velocity[0] = 0.5 * spin;
	body->angular_velocity[2] = -spin; /* about y: body axes z is -y */
	world_make(world);
}

/* Takes one iteration per step, instead of four to twenty-six from a last solution that was turned with the body. */
Test(start_turning, rolling_far_takes_few_iterations)
{
	for (double half_turn = 0.1; half_turn < 0.45; half_turn += 0.1) {
		for (int kind = 0; kind < 2; kind++) {
			World world;
			int iterations = 0;
			make_rolling(&world, kind == 0 ? make_sphere(0.5) : make_cylinder(0.5, 0.6), half_turn);
			world_run(&world, 2);
			for (int i = 0; i < 20; i++) {
				world_step(&world);
				iterations += world.info.iterations;
				cr_expect_eq(world.info.tries, 0, "kind %d, half turn %g, step %ld: %d tries", kind,
				             half_turn, world.steps, world.info.tries);
			}
			const AbutBodyState body = world_body(&world, 1);
			cr_expect_leq(iterations, 24, "kind %d, half turn %g: %d iterations", kind, half_turn,
			              iterations);
			cr_expect_float_eq(body.linear_velocity[0], 20.0 * half_turn, 1e-6, "kind %d, half turn %g",
			                   kind, half_turn);
			world_end(&world);
		}
	}
}

/* A cone of 0.8 m with radius 0.02 m lies on its side without friction and spins about its axis. Any point of its side
 * could carry the force. The correct point is the one below its centre, which the collision problem alone does not
 * find. */
Test(start_turning, a_line_is_held_where_it_was)
{
	static const double height = 0.8, radius = 0.02, half_turn = 0.1;
	const double half_angle = atan(radius / height);
	AbutShape *shape = NULL;
	World world;
	int iterations = 0;
	cr_assert_eq(abut_shape_create_cone(height, radius, &shape, NULL), ABUT_OK);
	world_begin(&world);
	world.def.timestep = 0.05;
	world.def.friction = 0.0;
	world_add_floor(&world, 0.0, 0.0, 1.0);
	AbutBodyDef *body = world_add(&world, shape, 1.0, 0.0, 0.0, 0.75 * radius * cos(half_angle));
	turn_about(0.0, 1.0, 0.0, 1.5707963267948966 + half_angle, body->orientation);
	body->angular_velocity[2] = 2.0 * half_turn / world.def.timestep;
	world_make(&world);
	world_run(&world, 5); /* the spin changes slightly with whether the first step is halved */
	const double spin = world_body(&world, 1).angular_velocity[2];
	for (int i = 0; i < 20; i++) {
		world_step(&world);
		iterations += world.info.iterations;
		cr_expect_eq(world.info.tries, 0, "step %ld: %d tries", world.steps, world.info.tries);
	}
	const AbutBodyState now = world_body(&world, 1);
	const AbutContact contact = world_touch(&world, 0, 1);
	cr_expect_leq(iterations, 24, "%d iterations", iterations);
	cr_expect_float_eq(now.angular_velocity[2], spin, 1e-9, "spin %g of %g", now.angular_velocity[2], spin);
	cr_expect_float_eq(contact.point[0], now.position[0], 1e-9, "held %g m off",
	                   contact.point[0] - now.position[0]);
	world_end(&world);
}
