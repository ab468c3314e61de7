/* Compares coupled joints with closed forms: gear trains, a rack with its pinion, gears on a floating carrier, and a
 * finger. Checks what is refused. */
#include <stdlib.h>

#include "dynamics/joint_momenta.h"

static const double timesteps[] = {0.001, 0.01, 0.05};
static const double y_axis[3] = {0.0, 1.0, 0.0};

/* Adds a gear that turns about y: a square plate of mass m and side a, on a hinge to `carrier` at its centre. Returns
 * its inertia. */
static double add_gear(JointScene *scene, int carrier, double m, double a, double x)
{
	const double half[3] = {0.5 * a, 0.02, 0.5 * a}, place[3] = {x, 0.0, 0.0};
	const int body = joint_scene_box(scene, half, m, place);
	joint_scene_joint(scene, ABUT_JOINT_HINGE, carrier, body, place, y_axis);
	return m * a * a / 6.0;
}

/* A train of n gears, each of which drives the next one by -ratio[i]. Returns the inertia that a torque on the first
 * one accelerates. */
static double gear_train(JointScene *scene, int n, const double *ratio, double timestep)
{
	double factor = 1.0, inertia = 0.0;
	joint_scene_begin(scene, timestep);
	for (int i = 0; i < n; i++) {
		inertia += factor * factor * add_gear(scene, ABUT_JOINT_WORLD, 1.0 + 0.5 * i, 0.2 + 0.05 * i, 0.4 * i);
		if (i > 0) {
			joint_scene_couple(scene, i, i - 1, -ratio[i - 1]);
		}
		factor *= i < n - 1 ? -ratio[i] : 1.0;
	}
	return inertia;
}

Test(couplings, a_gear_train_accelerates_by_its_inertia_and_keeps_its_ratio)
{
	static const double ratio[4] = {0.5, 0.8, 1.5, 0.3};
	const double torque = 0.05;
	for (int i = 0; i < 9; i++) {
		JointScene scene;
		const int n = 3 + i % 3;
		const double dt = timesteps[i / 3], inertia = gear_train(&scene, n, ratio, dt);
		scene.joints[0].axes[0].motor =
		    (AbutMotorDef){.type = ABUT_MOTOR_FORCE, .limit = (double)INFINITY, .target = torque};
		joint_scene_make(&scene);
		const double time = 4.0;
		for (long step = lround(time / dt); step > 0; step--) {
			joint_scene_step(&scene, "gears", 0);
		}
		/* the discrete momentum is J sin(w dt) / dt: relative error (w dt)^2 / 6 */
		const AbutJointState first = joint_scene_read(&scene, 0);
		const double rate = torque * time / inertia, error = rate * dt * rate * dt;
		cr_expect_float_eq(first.velocity[0], rate, rate * (error + 1e-9), "%d gears, %g s: %.12g is not %.12g",
		                   n, dt, first.velocity[0], rate);
		double factor = 1.0;
		for (int k = 1; k < n; k++) {
			const AbutJointState own = joint_scene_read(&scene, k);
			factor *= -ratio[k - 1];
			cr_expect_float_eq(own.position[0], factor * first.position[0], 1e-10 * k);
		}
		cr_expect_gt(fabs(first.position[0]), 10.0, "too few turns: %g", first.position[0]);
		AbutCouplingState coupling;
		cr_assert_eq(abut_coupling_get(scene.model, scene.state, 0, &coupling), ABUT_OK);
		const double first_alone = 1.0 * 0.2 * 0.2 / 6.0; /* the coupling turns the rest */
		cr_expect_float_eq(coupling.effort * -(-ratio[0]), -(torque - first_alone * torque / inertia),
		                   torque * (error + 1e-6), "%g", coupling.effort);
		cr_expect_leq(coupling.violation, 1e-10);
		joint_scene_end(&scene);
	}
}

Test(couplings, gears_keep_their_energy)
{
	static const double ratio[3] = {2.0, 0.7, 1.1};
	for (int i = 0; i < 3; i++) {
		JointScene scene;
		gear_train(&scene, 4, ratio, timesteps[i]);
		for (int k = 0; k < 4; k++) {
			scene.joints[k].has_velocity = k == 0; /* of the others by their couplings */
			scene.joints[k].velocity[0] = 2.0;
		}
		joint_scene_make(&scene);
		const double before = abut_state_energy(scene.model, scene.state);
		for (int step = 0; step < 500; step++) {
			joint_scene_step(&scene, "gears", 0);
		}
		cr_expect_float_eq(joint_scene_read(&scene, 1).velocity[0], -4.0, 1e-9);
		cr_expect_float_eq(abut_state_energy(scene.model, scene.state), before, 1e-8 * before);
		joint_scene_end(&scene);
	}
}

/* A rack of mass m falls and turns a pinion of inertia J: z'' (m + J / r^2) = -m g. */
Test(couplings, a_rack_turns_its_pinion)
{
	static const double half[3] = {0.02, 0.02, 0.3}, place[3] = {0.1, 0.0, 0.0}, z_axis[3] = {0.0, 0.0, 1.0};
	for (int i = 0; i < 3; i++) {
		JointScene scene;
		const double dt = timesteps[i], r = 0.1, m = 0.3, time = 0.5;
		joint_scene_begin(&scene, dt);
		const double J = add_gear(&scene, ABUT_JOINT_WORLD, 2.0, 0.3, 0.0);
		const int rack = joint_scene_box(&scene, half, m, place);
		joint_scene_joint(&scene, ABUT_JOINT_SLIDE, ABUT_JOINT_WORLD, rack, place, z_axis);
		joint_scene_couple(&scene, i % 2, 1 - i % 2, i % 2 == 0 ? 1.0 / r : r);
		joint_scene_make(&scene);
		for (long step = lround(time / dt); step > 0; step--) {
			joint_scene_step(&scene, "rack", 0);
		}
		const AbutJointState slide = joint_scene_read(&scene, 1);
		const double rate = -m * 9.81 / (m + J / (r * r)) * time, turn = rate / r * dt;
		/* the mean over the last step, half a step before its end */
		cr_expect_float_eq(slide.velocity[0], rate, fabs(rate) * turn * turn + 1e-9 + fabs(rate) * dt / time);
		cr_expect_float_eq(joint_scene_read(&scene, 0).position[0] * r, slide.position[0], 1e-10);
		joint_scene_end(&scene);
	}
}

/* Four gears in a ring, of which the last coupling repeats the others. */
Test(couplings, gears_may_close_a_loop)
{
	for (int i = 0; i < 3; i++) {
		static const double ratio[3] = {2.0, 0.5, 0.8};
		JointScene scene;
		const double inertia = gear_train(&scene, 4, ratio, timesteps[i]);
		joint_scene_couple(&scene, 0, 3, -1.0 / 0.8); /* 1 / (2 0.5 0.8) */
		scene.joints[2].axes[0].motor =
		    (AbutMotorDef){.type = ABUT_MOTOR_FORCE, .limit = (double)INFINITY, .target = 0.02};
		joint_scene_make(&scene);
		for (long step = lround(3.0 / timesteps[i]); step > 0; step--) {
			joint_scene_step(&scene, "ring", 0);
		}
		const double rate = 0.02 * 3.0 / inertia;
		cr_expect_float_eq(joint_scene_read(&scene, 0).velocity[0], rate, 1e-2 * rate);
		joint_scene_end(&scene);
	}
}

/* Gears on a free carrier, which turns against them: no momentum comes from the coupling. */
Test(couplings, a_floating_gear_box_keeps_its_momenta)
{
	for (int i = 0; i < 3; i++) {
		static const double half[3] = {0.5, 0.1, 0.2}, place[3] = {0.2, 0.0, 0.0}, skew[3] = {0.3, 1.0, -0.2};
		JointScene scene;
		double before[6], after[6];
		joint_scene_begin(&scene, timesteps[i]);
		memset(scene.def.gravity, 0, sizeof scene.def.gravity);
		const int carrier = joint_scene_box(&scene, half, 3.0, place);
		add_gear(&scene, carrier, 1.0, 0.2, 0.0);
		add_gear(&scene, carrier, 0.5, 0.3, 0.4);
		for (int k = 0; k < 2; k++) { /* off the plates' axes, so that they shake the carrier */
			abut_joint_frames((const double[3]){0.4 * k + 0.05, 0.0, 0.02}, skew,
			                  scene.bodies[carrier].position, scene.bodies[carrier].orientation,
			                  scene.bodies[1 + k].position, scene.bodies[1 + k].orientation,
			                  &scene.joints[k]);
			scene.joints[k].has_velocity = k == 0;
			scene.joints[k].velocity[0] = 3.0;
		}
		joint_scene_couple(&scene, 0, 1, -1.5);
		joint_scene_make(&scene);
		joint_scene_step(&scene, "box", 0);
		joint_scene_momenta(&scene, before, &before[3]);
		for (long step = lround(10.0 / timesteps[i]); step > 0; step--) {
			joint_scene_step(&scene, "box", 0);
			joint_scene_momenta(&scene, after, &after[3]);
			for (int k = 0; k < 6; k++) {
				cr_assert_float_eq(after[k], before[k], 1e-11, "%g s, momentum %d: %g is not %g",
				                   timesteps[i], k, after[k], before[k]);
			}
		}
		joint_scene_end(&scene);
	}
}

/* A finger of two links whose second joint bends 0.7 times as far as the first, until a limit of the second. */
Test(couplings, a_finger_bends_to_its_limit)
{
	for (int i = 0; i < 3; i++) {
		static const double half[3] = {0.1, 0.03, 0.03};
		JointScene scene;
		joint_scene_begin(&scene, timesteps[i]);
		for (int k = 0; k < 2; k++) {
			const double place[3] = {0.1 + 0.2 * k, 0.0, 0.0}, anchor[3] = {0.2 * k, 0.0, 0.0};
			joint_scene_box(&scene, half, 0.2, place);
			joint_scene_joint(&scene, ABUT_JOINT_HINGE, k - 1, k, anchor, y_axis);
		}
		joint_scene_couple(&scene, 1, 0, 0.7)->offset = 0.1;
		scene.joints[0].axes[0] = (AbutJointAxis){.has_limits = true, .lower = -0.2, .upper = 1.5};
		scene.joints[1].axes[0] = (AbutJointAxis){.has_limits = true, .lower = -0.1, .upper = 0.8};
		scene.joints[0].has_position = true;
		scene.joints[0].position[0] = 0.3;
		joint_scene_make(&scene);
		cr_expect_float_eq(joint_scene_read(&scene, 1).position[0], 0.31, 1e-12);
		for (long step = lround(2.0 / timesteps[i]); step > 0; step--) {
			joint_scene_step(&scene, "finger", 0);
		}
		cr_expect_float_eq(joint_scene_read(&scene, 1).position[0], 0.8, 1e-9);
		cr_expect_float_eq(joint_scene_read(&scene, 0).position[0], 1.0, 1e-9);
		cr_expect_float_eq(joint_scene_read(&scene, 0).velocity[0], 0.0, 1e-9);
		joint_scene_end(&scene);
	}
}

Test(couplings, other_methods_move_gears_as_single_level)
{
	static const double ratio[3] = {2.0, 0.7, 1.1};
	static const AbutMethod methods[3] = {ABUT_METHOD_SINGLE_LEVEL, ABUT_METHOD_BILEVEL, ABUT_METHOD_POINT_NCP};
	double rate[3];
	for (int i = 0; i < 3; i++) {
		JointScene scene;
		gear_train(&scene, 4, ratio, 0.01);
		scene.joints[0].axes[0].motor =
		    (AbutMotorDef){.type = ABUT_MOTOR_FORCE, .limit = (double)INFINITY, .target = 0.05};
		scene.def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, methods[i]);
		joint_scene_make(&scene);
		for (int k = 0; k < 100; k++) {
			joint_scene_step(&scene, "gears", 0);
		}
		rate[i] = joint_scene_read(&scene, 3).velocity[0];
		joint_scene_end(&scene);
	}
	cr_expect_float_eq(rate[1], rate[0], 1e-9, "%g is not %g", rate[1], rate[0]);
	cr_expect_float_eq(rate[2], rate[0], 1e-9, "%g is not %g", rate[2], rate[0]);
}

/* --- initial poses --- */

Test(couplings, initial_turns_are_counted_so_that_couplings_hold)
{
	static const double ratio[2] = {10.0, 0.1};
	JointScene scene;
	gear_train(&scene, 3, ratio, 0.01);
	scene.joints[0].has_position = true;
	scene.joints[0].position[0] = 1.2;
	joint_scene_make(&scene);
	cr_expect_float_eq(joint_scene_read(&scene, 1).position[0], -12.0, 1e-12);
	cr_expect_float_eq(joint_scene_read(&scene, 2).position[0], 1.2, 1e-12);
	joint_scene_step(&scene, "gears", 0);
	cr_expect_float_eq(joint_scene_read(&scene, 1).position[0], -12.0, 1e-9);
	joint_scene_end(&scene);
	/* the same by poses alone */
	gear_train(&scene, 2, ratio, 0.01);
	for (int k = 0; k < 2; k++) {
		const double angle = k == 0 ? 1.2 : -12.0;
		scene.bodies[k].orientation[0] = cos(0.5 * angle);
		scene.bodies[k].orientation[2] = sin(0.5 * angle);
	}
	joint_scene_make(&scene);
	cr_expect_float_eq(joint_scene_read(&scene, 0).position[0], 1.2, 1e-12);
	cr_expect_float_eq(joint_scene_read(&scene, 1).position[0], -12.0, 1e-12);
	joint_scene_end(&scene);
}

/* Poses that miss a coupling are moved by as little as possible: J_0 and J_1 share the error. */
Test(couplings, poses_that_miss_are_projected)
{
	static const double ratio[1] = {1.0};
	JointScene scene;
	gear_train(&scene, 2, ratio, 0.01);
	scene.couplings[0].offset = 0.3;
	joint_scene_make(&scene);
	const double J[2] = {1.0 * 0.04 / 6.0, 1.5 * 0.0625 / 6.0};
	cr_expect_float_eq(joint_scene_read(&scene, 0).position[0], 0.3 * J[1] / (J[0] + J[1]), 1e-9);
	cr_expect_float_eq(joint_scene_read(&scene, 1).position[0], 0.3 * J[0] / (J[0] + J[1]), 1e-9);
	joint_scene_end(&scene);
}

/* --- errors --- */

static void expect_refused(JointScene *scene, const char *where, const char *message)
{
	AbutError error = {.status = ABUT_OK};
	AbutModel *model = NULL;
	cr_expect_neq(abut_model_create(&scene->def, &model, &error), ABUT_OK, "%s: %s", where, message);
	cr_expect_str_eq(error.where, where, "%s: %s", error.where, error.message);
	cr_expect(strstr(error.message, message), "%s: %s", error.where, error.message);
	abut_model_destroy(model);
}

Test(couplings, bad_couplings_are_refused)
{
	static const double ratio[2] = {1.0, 1.0};
	JointScene scene;
	gear_train(&scene, 3, ratio, 0.01);
	AbutCouplingDef *c = &scene.couplings[1];
	const AbutCouplingDef good = *c;
	c->joint[0] = 3;
	expect_refused(&scene, "couplings[1].joints[0]",
	               "joint 3 does not exist; it must be an index of a joint, 0 to 2");
	*c = good;
	c->joint[1] = -1;
	expect_refused(&scene, "couplings[1].joints[1]", "joint -1 does not exist");
	c->joint[1] = c->joint[0];
	expect_refused(&scene, "couplings[1].joints", "couples joint 'n2' with itself");
	*c = good;
	c->axis[1] = 1;
	expect_refused(&scene, "couplings[1].axes[1]", "is 1; joint 'n1' is of type hinge, whose freedoms are 0 to 0");
	*c = good;
	c->ratio = 0.0;
	expect_refused(&scene, "couplings[1].ratio", "the ratio is 0; its magnitude must lie in 1e-6 to 1e6");
	c->ratio = (double)NAN;
	expect_refused(&scene, "couplings[1].ratio", "the ratio is");
	*c = good;
	c->offset = (double)INFINITY;
	expect_refused(&scene, "couplings[1].offset", "the offset is inf");
	*c = good;
	c->joint[0] = 0;
	expect_refused(&scene, "couplings[1].joints", "joints 'n0' and 'n1' are coupled by couplings[0] already");
	*c = good;
	scene.joints[2].type = ABUT_JOINT_FIXED;
	expect_refused(&scene, "couplings[1].joints[0]", "joint 'n2' is of type fixed, which has no coordinate");
	scene.joints[2].type = ABUT_JOINT_BALL;
	expect_refused(&scene, "couplings[1].joints[0]",
	               "joint 'n2' is a ball, whose coordinates are entries of a rotation vector");
	scene.joints[2].type = ABUT_JOINT_HINGE;
	scene.def.couplings = NULL;
	expect_refused(&scene, "couplings", "the scene has 2 couplings (NULL)");
	scene.def.couplings = scene.couplings;
	scene.def.n_couplings = -1;
	expect_refused(&scene, "couplings", "the scene has -1 couplings");
	scene.def.n_couplings = 2;
	joint_scene_make(&scene);
	joint_scene_end(&scene);
}

/* A ring of couplings with one offset has no pose; two joints with given coordinates may contradict their coupling. */
Test(couplings, contradictions_are_refused)
{
	static const double ratio[2] = {1.0, 1.0};
	JointScene scene;
	gear_train(&scene, 3, ratio, 0.01);
	joint_scene_couple(&scene, 2, 0, 1.0)->offset = 0.2;
	expect_refused(&scene, "couplings[0]", "miss their coupling by 0.0865229 rad");
	scene.def.n_couplings = 2;
	scene.joints[0].has_position = scene.joints[2].has_position = true;
	scene.joints[0].position[0] = 0.5;
	expect_refused(
	    &scene, "initial.joints.n2",
	    "the initial coordinate of joint 'n2' is 0, but couplings[1] makes it 0.5 by that of joint 'n1'");
	scene.joints[0].has_position = scene.joints[2].has_position = false;
	scene.joints[1].has_velocity = scene.joints[2].has_velocity = true;
	scene.joints[1].velocity[0] = 1.0;
	expect_refused(&scene, "initial.joint_velocities.n2",
	               "the initial rate of joint 'n2' is 0, but couplings[1] makes");
	scene.joints[1].has_velocity = scene.joints[2].has_velocity = false;
	scene.joints[2].axes[0] = (AbutJointAxis){.has_limits = true, .lower = -0.1, .upper = 0.1};
	scene.joints[0].has_position = true;
	expect_refused(&scene, "joints[2].limits", "joint 'n2' is at 0.5 rad at the initial poses");
	for (int i = 0; i < scene.def.n_bodies; i++) {
		abut_shape_destroy(scene.shapes[i]);
	}
}

/* The last numbers of a snapshot without contacts are those of the last coupling. */
Test(couplings, snapshots_with_wrong_numbers_are_refused)
{
	static const double ratio[2] = {0.5, 0.8};
	JointScene scene;
	AbutError error = {0};
	gear_train(&scene, 3, ratio, 0.01);
	joint_scene_make(&scene);
	joint_scene_step(&scene, "gears", 0);
	const size_t n = abut_state_snapshot_size(scene.model, scene.state);
	double *numbers = malloc(n * sizeof *numbers);
	cr_assert_not_null(numbers);
	cr_assert_eq(abut_state_snapshot(scene.model, scene.state, numbers), ABUT_OK);
	numbers[n - 1] = 1e31;
	cr_expect_eq(abut_state_restore(scene.model, scene.state, n, numbers, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "a number of couplings[1], of joints 'n2' and 'n1', is 1e+31; it must lie"),
	          "%s", error.message);
	free(numbers);
	joint_scene_end(&scene);
}

/* --- many joints --- */

/* A train of 10,000 gears takes an exact step. */
Test(couplings, may_be_ten_thousand)
{
	enum { N = 10000 };
	static char names[N][8];
	const double half[3] = {0.1, 0.02, 0.1};
	AbutShape *shape;
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
	AbutError error = {.status = ABUT_OK};
	AbutSceneDef def = abut_scene_def_default();
	AbutBodyDef *bodies = calloc(N, sizeof *bodies);
	AbutJointDef *joints = calloc(N, sizeof *joints);
	AbutCouplingDef *couplings = calloc(N, sizeof *couplings);
	cr_assert(bodies && joints && couplings);
	cr_assert_eq(abut_shape_create_box(half, &shape, NULL), ABUT_OK);
	for (int i = 0; i < N; i++) {
		snprintf(names[i], sizeof names[i], "n%d", i);
		bodies[i] = abut_body_def_default();
		bodies[i].name = names[i];
		bodies[i].mass = 1.0;
		bodies[i].n_parts = 1;
		bodies[i].parts = (const AbutShape *const *)&shape;
		joints[i] = abut_joint_def_default();
		joints[i].name = names[i];
		joints[i].child = i;
		couplings[i] = (AbutCouplingDef){.joint = {i, i > 0 ? i - 1 : 0}, .ratio = -1.0};
	}
	joints[0].axes[0].motor = (AbutMotorDef){.type = ABUT_MOTOR_FORCE, .limit = (double)INFINITY, .target = 10.0};
	def.all_pairs = false;
	def.n_bodies = def.n_joints = N;
	def.bodies = bodies;
	def.joints = joints;
	def.couplings = &couplings[1];
	def.n_couplings = N - 1;
	cr_assert_eq(abut_model_create(&def, &model, &error), ABUT_OK, "%s: %s", error.where, error.message);
	cr_assert_eq(abut_state_create(model, &state, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(model, &workspace, NULL), ABUT_OK);
	AbutStepInfo info = {.row = 0};
	AbutJointState last;
	cr_assert_eq(abut_step(model, state, workspace, &info), ABUT_OK);
	cr_expect(info.exact && info.joint_violation_rad <= 1e-10, "%g rad", info.joint_violation_rad);
	cr_assert_eq(abut_joint_get(model, state, N - 1, &last), ABUT_OK);
	const double inertia = 1.0 / 3.0 * (0.1 * 0.1 + 0.02 * 0.02), rate = -10.0 * def.timestep / (N * inertia);
	/* each coupling is held to 1e-12 rad or so */
	cr_expect_float_eq(last.velocity[0], rate, N * 1e-12 / def.timestep, "%g is not %g", last.velocity[0], rate);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(model);
	abut_shape_destroy(shape);
	free(couplings);
	free(joints);
	free(bodies);
}
