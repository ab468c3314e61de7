/* Tests method convex: closed forms of a soft contact, unsupported options, and that steps allocate nothing. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "allocation_watch.h"
#include "base/vec3.h"
#include "dynamics/step/workspace.h"
#include "dynamics/world.h"

/* Begins a world with the same impedance at all depths. */
static void begin(World *world, double impedance)
{
	world_begin(world);
	world->def.timestep = 0.005;
	world->def.solver.method = ABUT_METHOD_CONVEX;
	world->def.solver.solimp[0] = world->def.solver.solimp[1] = impedance;
}

static const double g = 9.81;

/* The one row of a ball has the inverse inertia 1 / m, from which the weights are made. So its acceleration is d r + (1
 * - d) a0, with r = -b v - k d z. It rests where this is zero: z = -(1 - d) g / (k d^2). This holds for both forms of
 * solref and both cones. */
Test(convex, a_ball_rests_at_the_depth_of_its_spring)
{
	for (int run = 0; run < 4; run++) {
		World world;
		const double d = 0.8, stiffness = 900.0, damping = 60.0, constant = 0.03, ratio = 1.2;
		begin(&world, d);
		double k = 1.0 / (d * d * constant * constant * ratio * ratio);
		world.def.solver.solref[0] = constant;
		world.def.solver.solref[1] = ratio;
		if (run % 2 == 1) {
			k = stiffness / (d * d);
			world.def.solver.solref[0] = -stiffness;
			world.def.solver.solref[1] = -damping;
		}
		world.def.solver.friction_cone = run < 2 ? ABUT_FRICTION_CONE_SOC : ABUT_FRICTION_CONE_PYRAMID;
		world.def.friction = run < 2 ? 0.5 : 0.0;
		world_add_floor(&world, 0.0, 0.0, 1.0);
		world_add(&world, make_sphere(0.2), 3.0, 0.0, 0.0, 0.2);
		world_make(&world);
		world_run(&world, 1500);
		const double depth = (1.0 - d) * g / (k * d * d);
		cr_expect_float_eq(world_body(&world, 1).position[2], 0.2 - depth, 1e-12, "run %d: %.15g, not %.15g",
		                   run, world_body(&world, 1).position[2], 0.2 - depth);
		cr_expect_float_eq(world_touch(&world, 0, 1).normal_impulse, 3.0 * g * 0.005, 1e-12);
		world_end(&world);
	}
}

/* Checks the same law in motion, step by step: v+ = v + dt (d (-b v - k d z) + (1 - d) (-g)), as long as the ball
 * overlaps and this pushes. */
Test(convex, a_ball_falls_into_its_spring)
{
	for (int direct = 0; direct < 2; direct++) {
		World world;
		const double d = 0.7, h = 0.005, T = 0.04, z0 = 0.02, stiffness = 500.0, damping = 30.0;
		begin(&world, d);
		world.def.solver.solref[0] = direct ? -stiffness : T;
		world.def.solver.solref[1] = direct ? -damping : 1.0;
		world_add_floor(&world, 0.0, 0.0, 1.0);
		world_add(&world, make_sphere(0.2), 3.0, 0.0, 0.0, 0.2 + z0);
		world_make(&world);
		double z = z0, v = 0.0;
		const double b = direct ? damping / d : 2.0 / (d * T);
		const double k = direct ? stiffness / (d * d) : 1.0 / (d * d * T * T);
		for (int i = 0; i < 100; i++) {
			const double aim = -b * v - k * d * z, pushed = d * aim + (1.0 - d) * -g;
			v += h * (z <= 0.0 && aim > -g ? pushed : -g);
			z += h * v;
			world_step(&world);
			const double found = world_body(&world, 1).position[2] - 0.2;
			cr_assert_float_eq(found, z, 1e-12, "step %d: %g, not %g", i, found, z);
		}
		world_end(&world);
	}
}

/* A sliding cone gives mu times its normal force; the elliptic one opposes motion in any direction. The momentum
 * changes by the reported impulse. */
Test(convex, a_sliding_box_slows_by_its_friction)
{
	World world;
	begin(&world, 0.9);
	world.def.friction = 0.3;
	world_add_floor(&world, 0.0, 0.0, 1.0);
	AbutBodyDef *box = world_add(&world, make_box(0.5, 0.4, 0.05), 2.0, 0.0, 0.0, 0.049);
	box->linear_velocity[0] = 1.6;
	box->linear_velocity[1] = 1.2;
	world_make(&world);
	double before[2] = {1.6, 1.2};
	for (int i = 0; i < 40; i++) {
		world_step(&world);
		AbutContact contact;
		world_find(&world, 0, 1, &contact); /* it hops, as what slides in a soft cone is lifted */
		const AbutBodyState s = world_body(&world, 1);
		const double *f = contact.friction_impulse;
		cr_assert_float_eq(hypot(f[0], f[1]), 0.3 * contact.normal_impulse, 1e-11, "step %d", i);
		cr_assert_float_eq(f[0], -0.8 * hypot(f[0], f[1]), 0.02 * hypot(f[0], f[1]), "step %d: %g %g", i, f[0],
		                   f[1]);
		for (int k = 0; k < 2; k++) {
			cr_assert_float_eq(2.0 * (s.linear_velocity[k] - before[k]), f[k], 1e-12);
			before[k] = s.linear_velocity[k];
		}
	}
	cr_expect_lt(before[0], 1.6 - 0.5 * 0.8 * 0.3 * g * 40 * 0.005);
	world_end(&world);
}

/* Two boxes are thrown at each other. Impulses act between them, so that both momenta stay the same. */
Test(convex, collisions_keep_both_momenta)
{
	for (unsigned seed = 0; seed < 20; seed++) {
		AbutRng rng = {seed};
		World world;
		begin(&world, 0.9);
		world.def.gravity[2] = 0.0;
		world.def.solver.friction_cone = (AbutFrictionCone)(seed % 2);
		for (int i = 0; i < 2; i++) {
			AbutBodyDef *body =
			    world_add(&world, make_box(0.5, 0.4, 0.3), 1.0 + i, 1.2 * i, 0.1 * i, 0.2 * i);
			abut_rng_rotation(&rng, body->orientation);
			body->linear_velocity[0] = i ? -2.0 : 2.0;
		}
		world_make(&world);
		double turned = 0.0;
		for (int i = 0; i < 60; i++) {
			world_step(&world);
			const AbutBodyState a = world_body(&world, 0), b = world_body(&world, 1);
			cr_assert_float_eq(a.linear_velocity[0] + 2.0 * b.linear_velocity[0], -2.0, 1e-12);
			turned = fmax(turned, abut_norm3(a.angular_velocity));
		}
		cr_assert_gt(turned, 0.1, "seed %u: they miss", seed);
		world_end(&world);
	}
}

/* A stack comes to rest, and each box carries the load of those above. */
Test(convex, a_stack_rests)
{
	World world;
	begin(&world, 0.95);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	for (int i = 0; i < 4; i++) {
		world_add(&world, make_cube(0.4), 1.0, 0.01 * i, 0.0, 0.2 + 0.4 * i);
	}
	world_make(&world);
	world_run(&world, 1000);
	for (int i = 0; i < 4; i++) {
		const double load = (4 - i) * g * 0.005;
		cr_expect_float_eq(world_touch(&world, i, i + 1).normal_impulse, load, 1e-6 * load);
		cr_expect_lt(abut_norm3(world_body(&world, i + 1).linear_velocity), 1e-5, "%g",
		             abut_norm3(world_body(&world, i + 1).linear_velocity));
	}
	world_end(&world);
}

/* The same scene in millimetres and grams gives the same results, scaled by their units. */
Test(convex, scales_with_the_scene)
{
	double place[2];
	for (int small = 0; small < 2; small++) {
		World world;
		const double length = small ? 1e-3 : 1.0;
		begin(&world, 0.9);
		world.def.solver.solimp[1] = 0.95;
		world.def.solver.solimp[2] = 0.01 * length;
		world.def.gravity[2] = -g * length;
		world_add_floor(&world, 0.0, 0.0, 1.0);
		AbutBodyDef *box = world_add(&world, make_box(0.3 * length, 0.2 * length, 0.1 * length),
		                             small ? 1e-3 : 1.0, 0.0, 0.0, 0.3 * length);
		turn_about(1.0, 2.0, 0.5, 0.6, box->orientation);
		world_make(&world);
		world_run(&world, 100);
		place[small] = world_body(&world, 1).position[0] / length;
		world_end(&world);
	}
	cr_expect_float_eq(place[0], place[1], 1e-9, "%g and %g", place[0], place[1]);
	cr_expect_gt(fabs(place[0]), 1e-3);
}

/* A planar body stays in its plane and moves there like a free body dropped flat. */
Test(convex, a_planar_body_keeps_to_its_plane)
{
	double place[2];
	for (int planar = 0; planar < 2; planar++) {
		World world;
		begin(&world, 0.9);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		AbutBodyDef *box = world_add(&world, make_box(0.3, 0.2, 0.1), 1.0, 0.0, 0.0, 0.4);
		turn_about(0.0, 1.0, 0.0, 0.3, box->orientation);
		box->planar_xz = planar == 1;
		world_make(&world);
		world_run(&world, 80);
		const AbutBodyState s = world_body(&world, 1);
		cr_expect_float_eq(s.position[1], 0.0, 1e-12);
		place[planar] = s.position[0];
		world_end(&world);
	}
	cr_expect_float_eq(place[0], place[1], 1e-9, "%g and %g", place[0], place[1]);
}

Test(convex, steps_allocate_nothing)
{
	for (int model = 0; model < ABUT_CONVEX_MODEL_COUNT; model++) {
		World world;
		begin(&world, 0.9);
		world.def.solver.convex_model = (AbutConvexModel)model;
		world_add_floor(&world, 0.0, 0.0, 1.0);
		for (int i = 0; i < 6; i++) {
			world_add(&world, make_cube(0.4), 1.0, 0.1 * (i % 2), 0.0, 0.3 + 0.45 * i);
		}
		world_make(&world);
		world_step(&world); /* workers and caches of other libraries */
		watch_begin(0);
		world_run(&world, model == ABUT_CONVEX_MODEL_SOFT ? 200 : 60);
		watch_end();
		cr_expect_eq(watch.calls, 0, "model %d: %ld allocations", model, watch.calls);
		world_end(&world);
	}
}

Test(convex, refuses_what_makes_no_spring)
{
	World world;
	begin(&world, 0.9);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_cube(0.4), 1.0, 0.0, 0.0, 0.2);
	const AbutSceneDef usual = world.def;
	world.def.solver.solref[1] = -1.0;
	world_expect_refused(&world.def, "solver.solref", "solref is 0.02, -1; a time constant");
	world.def.solver = usual.solver;
	world.def.solver.solimp[1] = 1.0;
	world_expect_refused(&world.def, "solver.solimp", "0.9, 1, 0.001, 0.5, 2; two impedances");
	world.def.solver = usual.solver;
	world.def.solver.impratio = 0.0;
	world_expect_refused(&world.def, "solver.impratio", "greater than 0");
	world.def.solver = usual.solver;
	world.def.solver.preset = ABUT_PRESET_PAPER;
	world_expect_refused(&world.def, "solver.preset", "convex has none");
	world_end(&world);
}

/* A ball that starts above the floor, beyond the margin, has no contact point, and falls into the floor in one step.
 * The step reports this overlap. In the second run, a heavy ball hits a light one, and that one reaches the floor. */
Test(convex, an_overlap_of_a_pair_that_was_apart_is_reported)
{
	for (int run = 0; run < 2; run++) {
		World world;
		begin(&world, 0.9);
		world.def.timestep = 0.05;
		world.def.solver.method = run == 0 ? ABUT_METHOD_CONVEX : ABUT_METHOD_LCP;
		world_add_floor(&world, 0.0, 0.0, 1.0);
		world_add(&world, make_sphere(0.2), 1.0, 0.0, 0.0, run == 0 ? 0.21 : 2.0);
		if (run == 1) {
			world_add(&world, make_sphere(0.2), 1e6, 0.0, 0.0, 2.41)->linear_velocity[2] = -40.0;
		}
		world_make(&world);
		world_step(&world);
		const double depth = 0.2 - world_body(&world, 1).position[2];
		cr_expect_gt(depth, 0.01, "run %d: it must overlap", run);
		cr_expect_float_eq(world.info.max_penetration, depth, 1e-12, "run %d: %g of %g", run,
		                   world.info.max_penetration, depth);
		world_end(&world);
	}
}
