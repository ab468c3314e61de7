/* Tests motion between the ends of a step: no body passes through a thin bar, and free flight is the motion if it is
 * possible. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/vec3.h"
#include "dynamics/world.h"

static AbutShape *make_rod(void)
{
	AbutShape *rod = NULL;
	cr_assert_eq(abut_shape_create_capsule(0.004, 0.4, &rod, NULL), ABUT_OK);
	return rod;
}

/* A rod falls across a bar; both are 8 mm thick. Free flight in one step would end two to five thicknesses below the
 * bar. The rod must end on top, for any rotation about the vertical and any place where it hits the bar. */
Test(passage, a_rod_does_not_fall_through_a_bar)
{
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		World world;
		world_begin(&world);
		world.def.gravity[2] = 0.0;
		turn_about(0.0, 1.0, 0.0, 0.5 * M_PI, world_add(&world, make_rod(), 0.0, 0.0, 0.0, 0.0)->orientation);
		const double way = abut_rng_uniform(&rng, 0.02, 0.06), gap = abut_rng_uniform(&rng, 1e-6, 2e-3);
		const double along = abut_rng_uniform(&rng, -0.15, 0.15), about = abut_rng_uniform(&rng, 0.4, 2.7);
		AbutBodyDef *rod = world_add(&world, make_rod(), 0.1, along, 0.0, 8e-3 + gap);
		rod->orientation[0] = rod->orientation[2] = 0.0; /* from z to (cos, sin, 0) */
		rod->orientation[1] = sqrt(0.5) * cos(about);
		rod->orientation[2] = sqrt(0.5) * sin(about);
		rod->orientation[3] = sqrt(0.5);
		rod->linear_velocity[2] = -way / world.def.timestep;
		world_make(&world);
		world_step(&world);
		const double height = world_body(&world, 1).position[2];
		cr_expect_geq(height, 8e-3 - 1e-9, "seed %u: at %g m after a way of %g", seed, height, way);
		cr_expect(world.info.exact, "seed %u", seed);
		world_end(&world);
	}
}

/* The same rod rotates about its centre, so that an end would pass through an upright bar and two to eight thicknesses
 * beyond. */
Test(passage, an_end_of_a_rod_does_not_sweep_through_a_bar)
{
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		World world;
		world_begin(&world);
		world.def.gravity[2] = 0.0;
		const double at[2] = {abut_rng_uniform(&rng, 0.1, 0.19), 8e-3 + abut_rng_uniform(&rng, 1e-6, 2e-3)};
		const double way = abut_rng_uniform(&rng, 0.025, 0.07);
		world_add(&world, make_rod(), 0.0, at[0], at[1], abut_rng_uniform(&rng, -0.15, 0.15));
		AbutBodyDef *rod = world_add(&world, make_rod(), 0.1, 0.0, 0.0, 0.0);
		turn_about(0.0, 1.0, 0.0, 0.5 * M_PI, rod->orientation); /* along x, with its own x axis down */
		rod->angular_velocity[0] = -way / at[0] / world.def.timestep;
		world_make(&world);
		world_step(&world);
		const AbutBodyState after = world_body(&world, 1);
		double R[9];
		abut_quat_to_mat3(after.orientation, R);
		const double along[2] = {R[2], R[5]}, *c = after.position;
		const double side = along[0] * (at[1] - c[1]) - along[1] * (at[0] - c[0]);
		cr_expect_geq(side, 8e-3 - 1e-9, "seed %u: %g m beside the bar after a way of %g", seed, side, way);
		world_end(&world);
	}
}

/* Four blocks form a square hole, and a box falls into it with some clearance on each side. It comes near the rim in
 * the first step and enters in the second. The normal between edges that meet is not unique, so the equations have a
 * root in which the rim stops the box, although nothing is in its way. */
Test(passage, a_box_falls_into_a_hole_without_touching_it)
{
	static const double half = 0.05, dt = 0.02, g = 9.81;
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {seed};
		World world;
		const double room = half * pow(10.0, abut_rng_uniform(&rng, -3.0, -1.5));
		world_begin(&world);
		world.def.timestep = dt;
		for (int side = -1; side <= 1; side += 2) {
			world_add(&world, make_box(0.05, 0.2, 0.1), 0.0, side * (half + room + 0.05), 0.0, -0.1);
			world_add(&world, make_box(half + room, 0.05, 0.1), 0.0, 0.0, side * (half + room + 0.05),
			          -0.1);
		}
		const double above = abut_rng_uniform(&rng, 4e-3, 6e-3), tilt = 0.5 * room / 0.1;
		const double about = abut_rng_uniform(&rng, 0.0, 2.0 * M_PI);
		AbutBodyDef *box =
		    world_add(&world, make_box(half, half, 0.1), 1.0,
		              0.2 * room * abut_rng_uniform(&rng, -1.0, 1.0) + 0.1 * tilt * sin(about),
		              0.2 * room * abut_rng_uniform(&rng, -1.0, 1.0) - 0.1 * tilt * cos(about), 0.0);
		turn_about(cos(about), sin(about), 0.0, tilt, box->orientation);
		box->position[2] = above + g * dt * dt + 0.1 + half * tilt * (fabs(cos(about)) + fabs(sin(about)));
		world_make(&world);
		world_step(&world);
		world_step(&world);
		const AbutBodyState after = world_body(&world, 4);
		cr_expect_float_eq(after.linear_velocity[2], -2.0 * g * dt, 1e-9, "seed %u: %g m/s", seed,
		                   after.linear_velocity[2]);
		for (int i = 0; i < 3; i++) {
			cr_expect_lt(fabs(after.angular_velocity[i]), 1e-8, "seed %u: turned", seed);
		}
		world_end(&world);
	}
}

/* Two thin sheets tumble together, face on face. Each turns by many thicknesses in a step, but not relative to the
 * other, so no step has to be solved in smaller parts. */
Test(passage, sheets_that_tumble_together_are_not_taken_to_pass)
{
	static const double half = 1e-4;
	static const double spins[] = {1.0, 3.0, 5.0};
	for (int i = 0; i < 3; i++) {
		World world;
		world_begin(&world);
		for (int side = -1; side <= 1; side += 2) {
			AbutBodyDef *sheet = world_add(&world, make_box(0.3, 0.2, half), 0.1, 0.0, 0.0, side * half);
			sheet->angular_velocity[1] = spins[i];
			sheet->linear_velocity[0] = spins[i] * side * half;
		}
		world_make(&world);
		for (int step = 0; step < 30; step++) {
			world_step(&world);
			cr_expect_leq(world.info.parts, 2, "%g rad/s, step %d: %d parts", spins[i], step,
			              world.info.parts);
		}
		world_end(&world);
	}
}
