/* Tests targets of motors as inputs. */
#include "dynamics/joint_scenes.h"

#include <stdlib.h>

/* A cart on a slide along x with motor `type`, and an arm on it with a motor of a given torque. */
static void cart(JointScene *scene, AbutMotorType type)
{
	const double half[3] = {0.1, 0.1, 0.1}, origin[3] = {0.0, 0.0, 0.0}, x[3] = {1.0, 0.0, 0.0},
	             y[3] = {0.0, 1.0, 0.0};
	joint_scene_begin(scene, 0.01);
	scene->def.gravity[2] = 0.0;
	joint_scene_box(scene, half, 3.0, origin);
	joint_scene_box(scene, half, 0.5, origin);
	AbutJointDef *slide = joint_scene_joint(scene, ABUT_JOINT_SLIDE, ABUT_JOINT_WORLD, 0, origin, x);
	slide->axes[0].motor = (AbutMotorDef){.type = type,
	                                      .stiffness = type == ABUT_MOTOR_POSITION ? 1e4 : 0.0,
	                                      .damping = type == ABUT_MOTOR_FORCE ? 0.0 : 400.0,
	                                      .limit = (double)INFINITY,
	                                      .target = 0.0};
	joint_scene_joint(scene, ABUT_JOINT_HINGE, 0, 1, origin, y)->axes[0].motor =
	    (AbutMotorDef){.type = ABUT_MOTOR_FORCE, .limit = (double)INFINITY, .target = 0.0025};
	joint_scene_make(scene);
}

Test(motors, targets_act_from_the_next_step_on)
{
	JointScene scene;
	cart(&scene, ABUT_MOTOR_FORCE);
	cr_assert_eq(abut_state_set_motor(scene.model, scene.state, 0, 0, 7.0), ABUT_OK);
	for (int i = 0; i < 10; i++) {
		joint_scene_step(&scene, "force", 0);
	}
	/* 7 N on 3.5 kg for 0.1 s, and 0.0025 N m on the arm from its own definition */
	const double inertia = 0.5 * 2.0 / 3.0 * 0.01;
	cr_expect_float_eq(joint_scene_read(&scene, 0).velocity[0], 0.2, 1e-12);
	AbutBodyState arm;
	abut_state_get_body(scene.model, scene.state, 1, &arm);
	cr_expect_float_eq(arm.angular_velocity[1], 0.0025 * 0.1 / inertia, 1e-8, "%.12g", arm.angular_velocity[1]);
	cr_expect_float_eq(joint_scene_read(&scene, 0).motor_effort[0], 7.0, 1e-12);
	joint_scene_end(&scene);

	static const AbutMotorType servos[] = {ABUT_MOTOR_POSITION, ABUT_MOTOR_VELOCITY};
	for (int i = 0; i < 2; i++) {
		cart(&scene, servos[i]);
		cr_assert_eq(abut_state_set_motor(scene.model, scene.state, 0, 0, 0.7), ABUT_OK);
		for (int k = 0; k < 200; k++) {
			joint_scene_step(&scene, "servo", 0);
		}
		const AbutJointState end = joint_scene_read(&scene, 0);
		cr_expect_float_eq(i == 0 ? end.position[0] : end.velocity[0], 0.7, 1e-9);
		joint_scene_end(&scene);
	}
}

/* The torque would turn the arm, without its rotor, by half a revolution in a step. */
Test(motors, a_torque_on_a_large_rotor_does_not_halve_the_step)
{
	JointScene scene;
	const double half[3] = {0.1, 0.1, 0.1}, origin[3] = {0.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
	const double rotor = 1.0, none[3] = {0.0, 0.0, 0.0}, torque[3] = {0.0, 200.0, 0.0},
	             inertia = rotor + 0.5 * 2.0 / 3.0 * 0.01;
	joint_scene_begin(&scene, 0.01);
	scene.def.gravity[2] = 0.0;
	joint_scene_box(&scene, half, 0.5, origin);
	joint_scene_joint(&scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, 0, origin, y)->axes[0].armature = rotor;
	joint_scene_make(&scene);
	for (int i = 0; i < 10; i++) {
		abut_state_set_input(scene.model, scene.state, 0, none, torque);
		const AbutStepInfo info = joint_scene_step(&scene, "rotor", 0);
		cr_assert_eq(info.parts, 1, "step %d: %d parts", i, info.parts);
	}
	cr_expect_float_eq(joint_scene_read(&scene, 0).velocity[0], 200.0 * 0.1 / inertia, 1e-3);
	joint_scene_end(&scene);
}

Test(motors, targets_are_part_of_copies_and_snapshots)
{
	JointScene scene;
	AbutState *other;
	AbutError error;
	double target;
	cart(&scene, ABUT_MOTOR_POSITION);
	cr_assert_eq(abut_state_create(scene.model, &other, NULL), ABUT_OK);
	abut_state_set_motor(scene.model, scene.state, 0, 0, 0.1 / 3.0);
	const size_t n = abut_state_snapshot_size(scene.model, scene.state);
	double *numbers = malloc(n * sizeof *numbers);
	cr_assert_eq(abut_state_snapshot(scene.model, scene.state, numbers), ABUT_OK);
	for (int whole = 0; whole < 2; whole++) {
		abut_state_set_motor(scene.model, other, 0, 0, 1.0);
		cr_assert_eq(
		    (whole ? abut_state_restore : abut_state_restore_motion)(scene.model, other, n, numbers, &error),
		    ABUT_OK, "%s", error.message);
		cr_assert_eq(abut_state_get_motor(scene.model, other, 0, 0, &target), ABUT_OK);
		cr_expect_eq(target, 0.1 / 3.0);
	}
	abut_state_set_motor(scene.model, scene.state, 1, 0, -2.0);
	cr_assert_eq(abut_state_copy(scene.model, scene.state, other), ABUT_OK);
	cr_assert_eq(abut_state_get_motor(scene.model, other, 1, 0, &target), ABUT_OK);
	cr_expect_eq(target, -2.0);
	free(numbers);
	abut_state_destroy(other);
	joint_scene_end(&scene);
}

Test(motors, batches_take_targets)
{
	enum { WORLDS = 5, STEPS = 20 };
	JointScene scene;
	AbutBatch *batch;
	cart(&scene, ABUT_MOTOR_POSITION);
	cr_assert_eq(abut_batch_create(scene.model, WORLDS, 2, &batch, NULL), ABUT_OK);
	double targets[WORLDS][2][ABUT_JOINT_FREEDOMS] = {{{0.0}}};
	for (int i = 0; i < WORLDS; i++) {
		targets[i][0][0] = 0.1 * i;
		targets[i][1][0] = -0.3 * i;
	}
	cr_assert_eq(abut_batch_set_motors(batch, &targets[0][0][0]), ABUT_OK);
	cr_assert_eq(abut_batch_step(batch, STEPS), ABUT_OK);
	for (int i = 0; i < WORLDS; i++) {
		AbutState *own;
		double bulk[2][ABUT_JOINT_FREEDOMS];
		AbutBodyState one, other;
		cr_assert_eq(abut_state_create(scene.model, &own, NULL), ABUT_OK);
		cr_assert_eq(abut_state_set_motors(scene.model, own, &targets[i][0][0], NULL), ABUT_OK);
		cr_assert_eq(abut_state_get_motors(scene.model, own, &bulk[0][0]), ABUT_OK);
		cr_expect_arr_eq(bulk, targets[i], sizeof bulk);
		for (int k = 0; k < STEPS; k++) {
			AbutStepInfo info = {.row = 0};
			abut_step(scene.model, own, scene.workspace, &info);
		}
		abut_state_get_body(scene.model, own, 1, &one);
		abut_state_get_body(scene.model, abut_batch_state(batch, i), 1, &other);
		cr_expect_arr_eq(&one, &other, sizeof one, "world %d", i);
		abut_state_destroy(own);
	}
	targets[3][0][1] = 1.0; /* the slide has no such freedom */
	targets[0][0][0] = 9.0;
	cr_expect_eq(abut_batch_set_motors(batch, &targets[0][0][0]), ABUT_ERROR_ARGUMENT);
	double kept;
	abut_state_get_motor(scene.model, abut_batch_state(batch, 0), 0, 0, &kept);
	cr_expect_eq(kept, 0.0, "no target is changed");
	cr_expect_eq(abut_batch_set_motors(NULL, &targets[0][0][0]), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_batch_set_motors(batch, NULL), ABUT_ERROR_ARGUMENT);
	abut_batch_destroy(batch);
	joint_scene_end(&scene);
}

Test(motors, wrong_targets_are_refused)
{
	const AbutStatus bad = ABUT_ERROR_ARGUMENT;
	JointScene scene;
	AbutError error;
	double out;
	joint_scene_pendulum(&scene, 0.01);
	const double origin[3] = {0.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
	joint_scene_box(&scene, (const double[3]){0.1, 0.1, 0.1}, 1.0, origin);
	joint_scene_joint(&scene, ABUT_JOINT_HINGE, 0, 1, origin, y)->axes[0].motor =
	    (AbutMotorDef){.type = ABUT_MOTOR_VELOCITY, .damping = 1.0, .limit = 2.0};
	joint_scene_make(&scene);
	cr_expect_eq(abut_state_set_motor(scene.model, scene.state, 0, 0, 1.0), bad, "no motor");
	cr_expect_eq(abut_state_get_motor(scene.model, scene.state, 0, 0, &out), bad, "no motor");
	static const int places[][2] = {{-1, 0}, {2, 0}, {1, -1}, {1, 1}};
	for (int i = 0; i < 4; i++) {
		cr_expect_eq(abut_state_set_motor(scene.model, scene.state, places[i][0], places[i][1], 0.0), bad);
	}
	static const double values[] = {(double)NAN, (double)INFINITY, 2e30, 1e-31};
	for (int i = 0; i < 4; i++) {
		double all[2][ABUT_JOINT_FREEDOMS] = {{0.0}, {values[i]}};
		cr_expect_eq(abut_state_set_motor(scene.model, scene.state, 1, 0, values[i]), bad);
		cr_expect_eq(abut_state_set_motors(scene.model, scene.state, &all[0][0], &error), bad);
		cr_expect_str_eq(error.where, "joints[1].target[0]");
	}
	cr_expect_eq(abut_state_set_motor(NULL, scene.state, 1, 0, 0.0), bad);
	cr_expect_eq(abut_state_set_motor(scene.model, NULL, 1, 0, 0.0), bad);
	cr_expect_eq(abut_state_get_motor(scene.model, scene.state, 1, 0, NULL), bad);
	cr_expect_eq(abut_state_set_motors(scene.model, scene.state, NULL, &error), bad);
	cr_expect_eq(abut_state_get_motors(scene.model, scene.state, NULL), bad);
	joint_scene_end(&scene);
}
