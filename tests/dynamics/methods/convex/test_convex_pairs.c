/* Tests springs of pairs in method convex, and margins within which contacts act. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "dynamics/world.h"

static const double g = 9.81, radius = 0.2;

static void begin(World *world, double impedance)
{
	world_begin(world);
	world->def.timestep = 0.005;
	world->def.solver.method = ABUT_METHOD_CONVEX;
	world->def.solver.solimp[0] = world->def.solver.solimp[1] = impedance;
}

/* Returns the height at which a ball rests whose row has the inverse inertia of its mass: (1 - d) g / (k d^2) below the
 * margin. */
static double rest(double d, double stiffness, double margin)
{
	return radius + margin - (1.0 - d) * g / stiffness;
}

/* Four balls lie on one floor: with the spring of the scene, a stiffer one, another impedance, and a margin. */
Test(convex_pairs, balls_rest_by_springs_of_their_own)
{
	static const double stiffness = 900.0, stiffer = 2500.0, d = 0.8, softer = 0.6, margin = 0.03;
	World world;
	begin(&world, d);
	world.def.solver.solref[0] = -stiffness;
	world.def.solver.solref[1] = -60.0;
	world_add_floor(&world, 0.0, 0.0, 1.0);
	for (int i = 0; i < 4; i++) {
		world_add(&world, make_sphere(radius), 1.0 + i, 2.0 * i, 0.0, 0.25);
	}
	AbutPairDef *pair = world_add_pair(&world, 2, 0); /* in either order */
	pair->has_solref = true;
	pair->solref[0] = -stiffer;
	pair->solref[1] = -100.0;
	pair = world_add_pair(&world, 0, 3);
	pair->has_solimp = true;
	memcpy(pair->solimp, (const double[5]){softer, softer, 0.001, 0.5, 2.0}, sizeof pair->solimp);
	pair = world_add_pair(&world, 0, 4);
	pair->has_margin = true;
	pair->margin = margin;
	world.def.all_pairs = true;
	world_make(&world);
	world_run(&world, 2000);
	/* k = stiffness / d1^2, so that k d^2 is the stiffness of one impedance at all depths */
	const double expected[] = {rest(d, stiffness, 0.0), rest(d, stiffer, 0.0), rest(softer, stiffness, 0.0),
	                           rest(d, stiffness, margin)};
	for (int i = 0; i < 4; i++) {
		const double z = world_body(&world, 1 + i).position[2];
		cr_expect_float_eq(z, expected[i], 1e-11, "ball %d: %.15g, not %.15g", i, z, expected[i]);
	}
	world_end(&world);
}

/* Two balls in the air are within the margin. Their distance grows by d r + (1 - d) a0 with a0 = 0 and r = -k d (gap -
 * margin). Just outside the margin, or without one, nothing happens. */
Test(convex_pairs, balls_push_each_other_within_the_margin)
{
	static const double d = 0.7, stiffness = 400.0, margin = 0.5, gaps[] = {0.3, 0.501, 0.3};
	for (int run = 0; run < 3; run++) {
		World world;
		begin(&world, d);
		world.def.gravity[2] = 0.0;
		world.def.solver.solref[0] = -stiffness;
		world.def.solver.solref[1] = -10.0;
		world.def.solver.margin = run < 2 ? margin : 0.0;
		for (int i = 0; i < 2; i++) {
			world_add(&world, make_sphere(radius), 1.0 + i, i * (2.0 * radius + gaps[run]), 0.0, 0.0);
		}
		world_make(&world);
		world_step(&world);
		const double opens =
		    world_body(&world, 1).linear_velocity[0] - world_body(&world, 0).linear_velocity[0];
		const double expected = run == 0 ? 0.005 * stiffness / d * d * (margin - gaps[0]) : 0.0;
		cr_expect_float_eq(opens, expected, 1e-13, "gap %g: %.15g, not %.15g", gaps[run], opens, expected);
		world_end(&world);
	}
}

Test(convex_pairs, refuses_what_makes_no_spring)
{
	World world;
	begin(&world, 0.9);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_cube(0.4), 1.0, 0.0, 0.0, 0.2);
	AbutPairDef *pair = world_add_pair(&world, 0, 1);
	pair->has_margin = true;
	pair->margin = -0.01;
	world_expect_refused(&world.def, "contacts[0].margin", "margin is -0.01; it must be");
	pair->margin = 0.0;
	pair->has_solref = true;
	pair->solref[0] = 0.02;
	world_expect_refused(&world.def, "contacts[0].solref", "solref is 0.02, 0; a time constant");
	world.def.n_pairs = 0;
	world.def.solver.margin = INFINITY;
	world_expect_refused(&world.def, "solver.margin", "inf");
	world_end(&world);
}
