/* Tests method point-ncp: closed forms, isotropic sliding (Dojo's figure 5), momenta, agreement with the other methods
 * where all are right, and unsupported options. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/balance.h"
#include "dynamics/body/body.h"
#include "dynamics/world.h"

static const double g = 9.81, dt = 0.01, degree = 3.14159265358979323846 / 180.0;

/* --- at rest --- */

/* For every kappa the impulse carries the weight, and the gap is kappa / gamma by complementarity. */
Test(point_ncp, a_ball_comes_to_rest)
{
	static const double kappas[] = {1e-4, 1e-6, 1e-8};
	for (int k = 0; k < 3; k++) {
		World world;
		world_begin_method(&world, ABUT_METHOD_POINT_NCP);
		world.def.solver.kappa = kappas[k];
		world.def.solver.tolerance = 1e-11;
		world_add_floor(&world, 0.0, 0.0, 1.0);
		world_add(&world, make_sphere(0.25), 2.0, 0.0, 0.0, 0.6);
		world_make(&world);
		world_run(&world, 300);
		const AbutContact contact = world_touch(&world, 0, 1);
		const AbutUnits *units = &world.model->units;
		const double impulse = 2.0 * g * dt, gap = kappas[k] * units->impulse * units->length / impulse;
		cr_assert_float_eq(contact.normal_impulse, impulse, 1e-9);
		cr_assert_float_eq(contact.gap, gap, 1e-3 * gap, "kappa %g: %g, not %g", kappas[k], contact.gap, gap);
		cr_assert_float_eq(world_body(&world, 1).position[2], 0.25 + gap, 1e-3 * gap);
		cr_assert_eq(world.info.outcome, ABUT_OUTCOME_RELAXED);
		cr_assert_eq(world.info.kappa, kappas[k]);
		world_end(&world);
	}
}

/* The reported impulse acts on b, along the normal from a to b, whichever of the two is the floor. */
Test(point_ncp, reports_impulses_on_b)
{
	for (int floor = 0; floor < 2; floor++) {
		World world;
		world_begin_method(&world, ABUT_METHOD_POINT_NCP);
		world.def.solver.kappa = 1e-9;
		world.def.friction = 0.3;
		for (int i = 0; i < 2; i++) {
			if (i == floor) {
				world_add_floor(&world, 0.0, 0.0, 1.0);
			} else {
				AbutBodyDef *box = world_add(&world, make_box(0.5, 0.4, 0.1), 2.0, 0.0, 0.0, 0.1);
				box->linear_velocity[0] = 3.0;
				box->linear_velocity[1] = -4.0;
			}
		}
		world_make(&world);
		world_run(&world, 2);
		const double sign = floor == 0 ? 1.0 : -1.0, load = 2.0 * g * dt;
		const AbutContact contact = world_touch(&world, 0, 1);
		cr_assert_float_eq(contact.normal[2], sign, 1e-12);
		cr_assert_float_eq(contact.normal_impulse, load, 1e-4 * load, "%g", contact.normal_impulse);
		cr_assert_float_eq(contact.friction_impulse[0], -sign * 0.3 * 0.6 * load, 1e-3 * load);
		cr_assert_float_eq(contact.friction_impulse[1], sign * 0.3 * 0.8 * load, 1e-3 * load);
		cr_assert_float_eq(contact.scaling, 1.0, 1e-2);
		world_end(&world);
	}
}

/* --- friction --- */

typedef struct Slid {
	double along, lateral, speed; /* way from the start, and across the direction of the push; speed at the end */
} Slid;

/* Slides a box for a quarter of a second: pushed at 1.5 m/s, at an angle to the axes, on a plane with mu = 0.4. */
static Slid slide(double angle, AbutFrictionCone cone, double kappa)
{
	World world;
	world_begin_method(&world, ABUT_METHOD_POINT_NCP);
	world.def.friction = 0.4;
	world.def.solver.friction_cone = cone;
	world.def.solver.kappa = kappa;
	world_add_floor(&world, 0.0, 0.0, 1.0);
	AbutBodyDef *body = world_add(&world, make_box(0.25, 0.25, 0.25), 1.0, 0.0, 0.0, 0.25);
	const double c = cos(angle), s = sin(angle);
	body->linear_velocity[0] = 1.5 * c;
	body->linear_velocity[1] = 1.5 * s;
	world_make(&world);
	world_run(&world, 30);
	const AbutBodyState end = world_body(&world, 1);
	const Slid slid = {end.position[0] * c + end.position[1] * s, end.position[1] * c - end.position[0] * s,
	                   end.linear_velocity[0] * c + end.linear_velocity[1] * s};
	world_end(&world);
	return slid;
}

/* Dojo's figure 5: with the cone the box moves straight at every angle and slows by mu g; the pyramid makes it drift.
 */
Test(point_ncp, sliding_is_isotropic)
{
	double worst = 0.0, pyramid = 0.0;
	for (int i = 0; i <= 9; i++) {
		const double angle = 10.0 * i * degree;
		const Slid cone = slide(angle, ABUT_FRICTION_CONE_SOC, 1e-6);
		const Slid edges = slide(angle, ABUT_FRICTION_CONE_PYRAMID, 1e-6);
		cr_assert_lt(fabs(cone.lateral), 1e-6, "%d degrees: %g m", 10 * i, cone.lateral);
		cr_assert_float_eq(cone.speed, 1.5 - 0.4 * g * 0.3, 1e-3, "%d degrees: %g m/s", 10 * i, cone.speed);
		worst = fmax(worst, fabs(cone.lateral));
		pyramid = fmax(pyramid, fabs(edges.lateral));
	}
	cr_log_info("lateral drift over 0 to 90 degrees: cone %.2g m, pyramid %.2g m", worst, pyramid);
	cr_assert_gt(pyramid, 1e-2, "%g", pyramid);
}

/* As kappa falls, the deceleration goes to mu g. */
Test(point_ncp, friction_is_as_exact_as_kappa)
{
	static const double kappas[] = {1e-5, 1e-7, 1e-9};
	double before = INFINITY;
	for (int i = 0; i < 3; i++) {
		const Slid slid = slide(0.6, ABUT_FRICTION_CONE_SOC, kappas[i]);
		const double error = fabs(slid.speed - (1.5 - 0.4 * g * 0.3));
		cr_log_info("kappa %g: off by %.2g m/s", kappas[i], error);
		cr_assert_lt(error, 0.05 * before, "kappa %g: %g after %g", kappas[i], error, before);
		before = error;
	}
	cr_assert_lt(before, 1e-6);
}

/* At nine tenths of the friction angle the box sticks, except for a creep proportional to kappa. */
Test(point_ncp, a_box_sticks_below_the_cone)
{
	static const double kappas[] = {1e-5, 1e-7, 1e-9};
	double before = INFINITY;
	for (int i = 0; i < 3; i++) {
		const double tilt = atan(0.9 * 0.5);
		World world;
		world_begin_method(&world, ABUT_METHOD_POINT_NCP);
		world.def.friction = 0.5;
		world.def.solver.kappa = kappas[i];
		world_add_floor(&world, sin(tilt), 0.0, cos(tilt));
		AbutBodyDef *body =
		    world_add(&world, make_box(0.5, 0.5, 0.1), 1.0, 0.1 * sin(tilt), 0.0, 0.1 * cos(tilt));
		turn_about(0.0, 1.0, 0.0, tilt, body->orientation);
		world_make(&world);
		world_run(&world, 100);
		const AbutBodyState s = world_body(&world, 1);
		const double creep = abut_norm3(s.linear_velocity);
		cr_log_info("kappa %g: creeps at %.2g m/s", kappas[i], creep);
		cr_assert_lt(creep, 0.05 * before, "kappa %g: %g after %g m/s", kappas[i], creep, before);
		before = creep;
		world_end(&world);
	}
	cr_assert_lt(before, 1e-5);
}

/* --- momenta --- */

/* Balls and capsules meet off centre, with friction and spin. At the next poses, contact changes neither the momentum
 * nor its moment about the origin. */
Test(point_ncp, collisions_keep_both_momenta)
{
	for (unsigned seed = 0; seed < 40; seed++) {
		AbutRng rng = {seed};
		World world;
		world_begin_method(&world, ABUT_METHOD_POINT_NCP);
		world.def.gravity[2] = 0.0;
		for (int i = 0; i < 2; i++) {
			AbutBodyDef *body = world_add(&world, i && seed % 2 ? make_capsule(0.3, 0.8) : make_sphere(0.5),
			                              1.0 + i, 1.2 * i, 0.2 * i, 0.3 * i);
			abut_rng_rotation(&rng, body->orientation);
			body->linear_velocity[0] = i ? -2.0 : 2.0;
			for (int k = 0; k < 3; k++) {
				body->angular_velocity[k] = abut_rng_normal(&rng);
			}
		}
		world_make(&world);
		double before[3] = {2.0 - 4.0, 0.0, 0.0};
		bool touched = false;
		for (int k = 0; k < 30; k++) {
			world_step(&world);
			double sum[6] = {0.0}, size = 0.0;
			for (int i = 0; i < 2; i++) {
				const AbutBodyWork *body = &world.workspace->bodies[i];
				double change[6], moment[3];
				abut_body_residual(body, world.model->timestep, change);
				abut_cross3(body->x, change, moment);
				for (int c = 0; c < 3; c++) {
					sum[c] += change[c];
					sum[3 + c] += change[3 + c] + moment[c];
					size += fabs(change[c]);
				}
			}
			for (int c = 0; c < 6; c++) {
				cr_assert_float_eq(sum[c], 0.0, 1e-6, "seed %u, step %d: %g", seed, k, sum[c]);
			}
			const AbutBodyState a = world_body(&world, 0), b = world_body(&world, 1);
			for (int c = 0; c < 3; c++) {
				const double now = a.linear_velocity[c] + 2.0 * b.linear_velocity[c];
				cr_assert_float_eq(now, before[c], 1e-6, "seed %u, step %d", seed, k);
			}
			touched = touched || size > 0.1;
		}
		cr_assert(touched, "seed %u", seed);
		world_end(&world);
	}
}

/* --- beside the single-level path --- */

/* Free flight is the same, bit for bit. */
Test(point_ncp, flies_as_the_others_do)
{
	World worlds[2];
	for (int i = 0; i < 2; i++) {
		world_begin_method(&worlds[i], ABUT_METHOD_POINT_NCP);
		worlds[i].def.solver.method = i ? ABUT_METHOD_POINT_NCP : ABUT_METHOD_SINGLE_LEVEL;
		worlds[i].def.solver.warm_start = false; /* which would start the spin elsewhere */
		AbutBodyDef *body = world_add(&worlds[i], make_box(0.5, 0.3, 0.1), 1.0, 0.0, 0.0, 0.0);
		body->angular_velocity[0] = 3.0;
		body->angular_velocity[1] = 5.0;
		body->torque[2] = 0.1;
		world_make(&worlds[i]);
	}
	for (int k = 0; k < 100; k++) {
		world_step(&worlds[0]);
		world_step(&worlds[1]);
		const AbutBodyState a = world_body(&worlds[0], 0), b = world_body(&worlds[1], 0);
		cr_assert_eq(memcmp(&a, &b, sizeof a), 0, "step %d", k);
		cr_assert(worlds[1].info.exact);
	}
	world_end(&worlds[0]);
	world_end(&worlds[1]);
}

/* A ball thrown along the floor with side spin slides, then rolls. Both methods give the same way, more closely for
 * smaller kappa. */
Test(point_ncp, a_ball_rolls_as_in_the_single_level_path)
{
	static const double kappas[] = {1e-5, 1e-7, 1e-9};
	double before = INFINITY;
	for (int i = 0; i < 3; i++) {
		World worlds[2];
		double apart = 0.0;
		for (int m = 0; m < 2; m++) {
			world_begin_method(&worlds[m], ABUT_METHOD_POINT_NCP);
			worlds[m].def.solver.method = m ? ABUT_METHOD_POINT_NCP : ABUT_METHOD_SINGLE_LEVEL;
			worlds[m].def.solver.kappa = kappas[i];
			worlds[m].def.friction = 0.2;
			world_add_floor(&worlds[m], 0.0, 0.0, 1.0);
			AbutBodyDef *ball = world_add(&worlds[m], make_sphere(0.3), 1.5, 0.0, 0.0, 0.3);
			ball->linear_velocity[0] = 1.0;
			ball->angular_velocity[0] = 4.0;
			worlds[m].def.all_pairs = false;
			world_add_pair(&worlds[m], 0, 1)->torsional_radius = 0.0;
			world_make(&worlds[m]);
		}
		for (int k = 0; k < 60; k++) {
			world_step(&worlds[0]);
			world_step(&worlds[1]);
			const AbutBodyState a = world_body(&worlds[0], 1), b = world_body(&worlds[1], 1);
			for (int c = 0; c < 3; c++) {
				apart = fmax(apart, fabs(a.position[c] - b.position[c]));
				apart = fmax(apart, fabs(a.linear_velocity[c] - b.linear_velocity[c]));
			}
		}
		cr_log_info("kappa %g: %.2g m or m/s apart", kappas[i], apart);
		cr_assert_lt(apart, 0.1 * before, "kappa %g: %g after %g", kappas[i], apart, before);
		before = apart;
		world_end(&worlds[0]);
		world_end(&worlds[1]);
	}
	cr_assert_lt(before, 1e-5);
}

/* A ball lies between two fixed capsules. The reported gaps are those of the geometry; each capsule carries its share
 * of the weight by its slope. */
Test(point_ncp, a_ball_lies_between_two_rods)
{
	World world;
	world_begin_method(&world, ABUT_METHOD_POINT_NCP);
	world.def.friction = 0.0;
	world.def.solver.kappa = 1e-8;
	for (int i = 0; i < 2; i++) {
		AbutBodyDef *rod = world_add(&world, make_capsule(0.1, 2.0), 0.0, i ? 0.3 : -0.3, 0.0, 0.0);
		turn_about(1.0, 0.0, 0.0, 90.0 * degree, rod->orientation);
	}
	world_add(&world, make_sphere(0.4), 1.0, 0.0, 0.2, 0.5);
	world_make(&world);
	world_run(&world, 200);
	const double sine = sqrt(0.5 * 0.5 - 0.3 * 0.3) / 0.5;
	for (int i = 0; i < 2; i++) {
		const AbutContact contact = world_touch(&world, i, 2);
		const AbutBodyState ball = world_body(&world, 2);
		const double gap = hypot(ball.position[0] - (i ? 0.3 : -0.3), ball.position[2]) - 0.5;
		cr_assert_float_eq(contact.gap, gap, 1e-12, "%g, not %g", contact.gap, gap);
		cr_assert_float_eq(contact.normal_impulse, 0.5 * g * dt / sine, 1e-6);
		cr_assert_float_eq(contact.normal[2], sine, 1e-5);
		cr_assert_float_eq(contact.point[1], 0.2, 1e-9);
	}
	world_end(&world);
}

/* A capsule stands on either end, or lies. Its centre is at the height that its contact points give. */
Test(point_ncp, a_capsule_stands_on_either_end)
{
	static const double angles[] = {0.0, 90.0, 180.0}, heights[] = {0.6, 0.2, 0.6};
	for (int i = 0; i < 3; i++) {
		World world;
		world_begin_method(&world, ABUT_METHOD_POINT_NCP);
		world.def.solver.kappa = 1e-9;
		world_add_floor(&world, 0.0, 0.0, 1.0);
		AbutBodyDef *body = world_add(&world, make_capsule(0.2, 0.8), 1.0, 0.0, 0.0, heights[i] + 0.01);
		turn_about(0.0, 1.0, 0.0, angles[i] * degree, body->orientation);
		world_make(&world);
		world_run(&world, 20);
		cr_assert_float_eq(world_body(&world, 1).position[2], heights[i], 1e-6, "%g degrees: %g", angles[i],
		                   world_body(&world, 1).position[2]);
		world_end(&world);
	}
}

/* The body starts deep in the floor. It comes out at the recovery speed at most, and is then at rest. */
Test(point_ncp, overlap_is_undone_at_a_bounded_speed)
{
	World world;
	world_begin_method(&world, ABUT_METHOD_POINT_NCP);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.3);
	world_make(&world);
	const double speed = sqrt(g * world.model->units.length);
	for (int k = 0; k < 100; k++) {
		world_step(&world);
		cr_assert_lt(world_body(&world, 1).linear_velocity[2], 1.01 * speed);
	}
	cr_assert_float_eq(world_body(&world, 1).position[2], 0.5, 1e-3);
	world_end(&world);
}

/* --- what it refuses --- */

static AbutError refusal_of(World *world, AbutStatus status)
{
	AbutError error = {.status = ABUT_OK};
	cr_assert_eq(abut_model_create(&world->def, &world->model, &error), status, "%s", error.message);
	return error;
}

Test(point_ncp, refuses_shapes_without_points)
{
	World world;
	world_begin_method(&world, ABUT_METHOD_POINT_NCP);
	world_add(&world, make_cylinder(0.5, 1.0), 1.0, 0.0, 0.0, 1.0);
	AbutError error = refusal_of(&world, ABUT_ERROR_UNSUPPORTED);
	cr_assert_str_eq(error.where, "bodies[0].shape");
	cr_assert(strstr(error.message, "cylinder") && strstr(error.message, "capsules"), "%s", error.message);
	world.def.solver.linear_solver = ABUT_LINEAR_SOLVER_DENSE;
	error = refusal_of(&world, ABUT_ERROR_UNSUPPORTED);
	cr_assert_str_eq(error.where, "solver.linear_solver");
	world.def.solver.preset = ABUT_PRESET_PAPER;
	error = refusal_of(&world, ABUT_ERROR_UNSUPPORTED);
	cr_assert_str_eq(error.where, "solver.preset");
	world_end(&world);
}

Test(point_ncp, says_that_a_spin_is_too_fast)
{
	World world;
	char text[256];
	world_begin_method(&world, ABUT_METHOD_POINT_NCP);
	world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.0)->angular_velocity[0] = 160.0;
	world_make(&world);
	cr_assert_eq(world_try(&world), ABUT_OUTCOME_FAILED);
	abut_step_explain(world.model, world.state, &world.info, text, sizeof text);
	cr_assert(strstr(text, "half turn") && strstr(text, "point-ncp"), "%s", text);
	world_end(&world);
}
