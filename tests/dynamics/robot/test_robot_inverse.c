/* Tests inverse dynamics of steps: the inverse of a step returns the efforts of its motors. */
#include "allocation_watch.h"
#include "dynamics/joint_chain.h"
#include "dynamics/robot/robot_scenes.h"

typedef struct Inverse {
	double effort[ROBOT_MOST];
	AbutRobotInverse info;
	AbutStepInfo step;
	double worst; /* largest difference from the motors' efforts, relative to 1 and the largest effort */
} Inverse;

/* Takes a step and inverts it. */
static Inverse invert_step(TestRobot *t, AbutState *before)
{
	Inverse out = {.worst = 0.0, .step = {.row = 0}};
	AbutError error = {.status = ABUT_OK};
	double wanted[ROBOT_MOST] = {0.0}, motors[ABUT_JOINT_FREEDOMS * JOINT_EDGES];
	AbutModel *model = t->scene.model;
	cr_assert_eq(abut_state_copy(model, t->scene.state, before), ABUT_OK);
	cr_assert_eq(abut_step(model, t->scene.state, t->scene.workspace, &out.step), ABUT_OK);
	cr_assert_neq(out.step.outcome, ABUT_OUTCOME_FAILED);
	if (out.step.parts > 1) { /* the motion between the parts is not that of a step */
		cr_expect_eq(abut_robot_inverse(t->robot, before, t->scene.state, out.effort, &out.info, &error),
		             ABUT_ERROR_UNSUPPORTED);
		cr_expect(strstr(error.message, "was taken in parts"), "%s", error.message);
		return out;
	}
	cr_assert_eq(abut_robot_inverse_motors(t->robot, before, t->scene.state, out.effort, motors, &out.info, &error),
	             ABUT_OK, "%s", error.message);
	cr_expect(!out.info.found && out.info.exact);
	for (int j = 0; j < abut_model_joint_count(model); j++) {
		const AbutJointState joint = joint_scene_read(&t->scene, j);
		const int first = abut_robot_joint_velocity(t->robot, j);
		for (int k = 0; first >= 0 && k < joint.n_axes; k++) {
			wanted[first + k] = joint.motor_effort[k];
		}
	}
	const double scale = 1.0 + robot_largest(wanted, t->n_v);
	for (int j = 0; j < abut_model_joint_count(model); j++) { /* also of joints that close loops */
		const AbutJointState joint = joint_scene_read(&t->scene, j);
		for (int k = 0; k < ABUT_JOINT_FREEDOMS; k++) {
			out.worst =
			    fmax(out.worst, fabs(motors[ABUT_JOINT_FREEDOMS * j + k] - joint.motor_effort[k]) / scale);
		}
	}
	for (int k = 0; k < t->n_v; k++) {
		out.worst = fmax(out.worst, fabs(out.effort[k] - wanted[k]) / scale);
	}
	return out;
}

/* Chains of all types of joints with all laws, motors among them, in the air. */
Test(robot_inverse, returns_the_motors_of_chains_with_all_laws)
{
	int n = 0;
	for (unsigned seed = 0; seed < 60; seed++) {
		TestRobot t;
		AbutState *before;
		chain_define(&t.scene, (AbutJointType)(seed % 8), LAWS_ALL, seed);
		robot_make(&t, seed);
		cr_assert_eq(abut_state_create(t.scene.model, &before, NULL), ABUT_OK);
		for (int i = 0; i < 20; i++) {
			const Inverse inverse = invert_step(&t, before);
			if (inverse.step.parts > 1) {
				continue;
			}
			n++;
			cr_expect_leq(inverse.worst, 1e-8, "seed %u, step %d: %g (residual %g)", seed, i, inverse.worst,
			              inverse.step.residual);
		}
		abut_state_destroy(before);
		robot_end(&t);
	}
	cr_expect_geq(n, 900);
}

/* Couplings, which are not motors, keep their own efforts. */
Test(robot_inverse, returns_the_motors_of_coupled_chains)
{
	for (unsigned seed = 0; seed < 24; seed++) {
		TestRobot t;
		AbutState *before;
		chain_define(&t.scene, (AbutJointType)(seed % 8), LAWS_COUPLED, seed);
		robot_make(&t, seed);
		cr_assert_eq(abut_state_create(t.scene.model, &before, NULL), ABUT_OK);
		for (int i = 0; i < 10; i++) {
			const Inverse inverse = invert_step(&t, before);
			cr_expect_leq(inverse.worst, 1e-8, "seed %u, step %d: %g", seed, i, inverse.worst);
		}
		abut_state_destroy(before);
		robot_end(&t);
	}
}

/* Shipped scenes, with loops, couplings and contacts: a gripper holds a box by friction, a table stands on four legs.
 */
Test(robot_inverse, returns_the_motors_of_shipped_scenes)
{
	static const char *const names[] = {"four_bar", "slider_crank", "gripper", "table", "chain"};
	int in_parts = 0;
	for (int i = 0; i < 5; i++) {
		TestRobot t = {.n_q = 0};
		AbutScene *scene;
		AbutState *before;
		AbutError error = {.status = ABUT_OK};
		char path[300];
		int n = 0;
		snprintf(path, sizeof path, ABUT_SOURCE_DIR "/experiments/scenes/%s.json", names[i]);
		cr_assert_eq(abut_scene_load(path, 0, NULL, &scene, &error), ABUT_OK, "%s", error.message);
		t.scene.def = *abut_scene_def(scene);
		joint_scene_make(&t.scene);
		cr_assert_eq(abut_robot_create(t.scene.model, &t.robot, &error), ABUT_OK, "%s", error.message);
		t.n_v = abut_robot_velocity_count(t.robot);
		cr_assert_eq(abut_state_create(t.scene.model, &before, NULL), ABUT_OK);
		const int steps = i == 4 ? 300 : 100;
		for (int k = 0; k < steps; k++) {
			const Inverse inverse = invert_step(&t, before);
			n += inverse.step.parts == 1;
			in_parts += inverse.step.parts > 1;
			if (inverse.step.parts == 1) {
				cr_expect_leq(inverse.worst, 1e-8, "%s, step %d: %g", names[i], k, inverse.worst);
			}
		}
		cr_expect_geq(n, steps * 9 / 10, "%s: %d", names[i], n);
		abut_state_destroy(before);
		abut_robot_destroy(t.robot);
		t.scene.def.n_bodies = 0; /* the shapes are the scene's */
		joint_scene_end(&t.scene);
		abut_scene_destroy(scene);
	}
	cr_expect_gt(in_parts, 0); /* refused */
}

/* Motors of all types on the first joint and on the one that closes the loop of a four-bar: the second acts in the step
 * with its target, and the effort of the first is found. */
Test(robot_inverse, motors_of_joints_that_close_loops_act)
{
	for (int type = ABUT_MOTOR_FORCE; type <= ABUT_MOTOR_VELOCITY; type++) {
		TestRobot t = {.n_q = 0};
		AbutScene *scene;
		AbutState *before;
		AbutError error = {.status = ABUT_OK};
		cr_assert_eq(
		    abut_scene_load(ABUT_SOURCE_DIR "/experiments/scenes/four_bar.json", 0, NULL, &scene, &error),
		    ABUT_OK, "%s", error.message);
		t.scene.def = *abut_scene_def(scene);
		memcpy(t.scene.joints, t.scene.def.joints, 4 * sizeof *t.scene.joints);
		t.scene.def.joints = t.scene.joints;
		for (int j = 0; j < 4; j += 3) {
			t.scene.joints[j].axes[0].motor =
			    (AbutMotorDef){.type = (AbutMotorType)type,
			                   .stiffness = type == ABUT_MOTOR_POSITION ? 40.0 : 0.0,
			                   .damping = type == ABUT_MOTOR_FORCE ? 0.0 : 2.0,
			                   .limit = (double)INFINITY,
			                   .target = j == 0 ? 1.0 : 2.0};
		}
		joint_scene_make(&t.scene);
		cr_assert_eq(abut_robot_create(t.scene.model, &t.robot, &error), ABUT_OK, "%s", error.message);
		t.n_v = abut_robot_velocity_count(t.robot);
		cr_assert_eq(abut_robot_joint_velocity(t.robot, 3), -1);
		cr_assert_eq(abut_state_create(t.scene.model, &before, NULL), ABUT_OK);
		for (int k = 0; k < 20; k++) {
			const Inverse inverse = invert_step(&t, before);
			cr_assert_eq(inverse.step.parts, 1);
			cr_expect_leq(inverse.worst, 1e-8, "type %d, step %d: %g", type, k, inverse.worst);
			cr_expect_leq(inverse.info.residual, 1e-7, "type %d: %g", type, inverse.info.residual);
		}
		abut_state_destroy(before);
		abut_robot_destroy(t.robot);
		t.scene.def.n_bodies = 0; /* the shapes are the scene's */
		joint_scene_end(&t.scene);
		abut_scene_destroy(scene);
	}
}

/* States that no step connects are refused: a body is elsewhere, turned otherwise, or another step lies between. */
Test(robot_inverse, motions_that_no_step_makes_are_refused)
{
	TestRobot t;
	AbutState *before, *after;
	AbutError error = {.status = ABUT_OK};
	AbutStepInfo info = {.row = 0};
	AbutBodyState moved;
	double effort[ROBOT_MOST];
	robot_begin(&t, 4, false, 3);
	AbutModel *model = t.scene.model;
	cr_assert_eq(abut_state_create(model, &before, NULL), ABUT_OK);
	cr_assert_eq(abut_state_create(model, &after, NULL), ABUT_OK);
	cr_assert_eq(abut_state_copy(model, t.scene.state, before), ABUT_OK);
	memset(t.qdot, 0, sizeof t.qdot);
	for (int i = 0; i < 3; i++) {
		cr_assert_eq(abut_robot_advance(t.robot, before, t.qdot, after), ABUT_OK);
		cr_expect_eq(abut_robot_inverse(t.robot, before, after, effort, NULL, &error), ABUT_OK, "%s",
		             error.message);
		cr_assert_eq(abut_state_get_body(model, after, 2, &moved), ABUT_OK);
		if (i < 2) {
			double turned[4];
			const double turn[4] = {cos(0.05), sin(0.05), 0.0, 0.0};
			moved.position[1] += i == 0 ? 0.25 : 0.0;
			abut_quat_mul(moved.orientation, turn, turned);
			memcpy(moved.orientation, i == 0 ? moved.orientation : turned, sizeof turned);
			cr_assert_eq(abut_state_set_body(model, after, 2, &moved), ABUT_OK);
			cr_expect_eq(abut_robot_inverse(t.robot, before, after, effort, NULL, &error),
			             ABUT_ERROR_ARGUMENT);
			cr_expect(strstr(error.message, i == 0 ? "body 'n2' is 0.25 m" : "0.1 rad from where"), "%s",
			          error.message);
		}
	}
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(abut_step(model, t.scene.state, t.scene.workspace, &info), ABUT_OK);
		cr_assert_eq(info.parts, 1);
	}
	cr_expect_eq(abut_robot_inverse(t.robot, before, t.scene.state, effort, NULL, &error), ABUT_ERROR_ARGUMENT);
	abut_state_destroy(before);
	abut_state_destroy(after);
	robot_end(&t);
}

/* A torso on four legs, or one, of two links: boxes whose feet stand flat on the floor, or capsules. The motion does
 * not determine the forces between four feet. Motors are of the type. The feet are 0.1 m above the floor. */
static void walker(TestRobot *t, AbutMotorType type, int legs, bool flat, double timestep)
{
	static const double torso[3] = {0.3, 0.2, 0.05}, leg[3] = {0.03, 0.03, 0.15}, up[3] = {0.0, 0.0, 1.0},
	                    y[3] = {0.0, 1.0, 0.0}, origin[3] = {0.0, 0.0, 0.75};
	JointScene *scene = &t->scene;
	joint_scene_begin(scene, timestep);
	scene->def.all_pairs = true;
	scene->def.solver.tolerance = 1e-13;
	joint_scene_box(scene, torso, 10.0, origin);
	for (int i = 0; i < legs; i++) {
		const double side[2] = {legs == 1 ? 0.0 : i % 2 ? 0.25 : -0.25, legs == 1 ? 0.0 : i / 2 ? 0.18 : -0.18};
		for (int k = 0; k < 2; k++) {
			const double place[3] = {side[0], side[1], 0.55 - 0.3 * k},
			             anchor[3] = {side[0], side[1], 0.7 - 0.3 * k};
			const int body = joint_scene_box(scene, leg, 1.0, place);
			if (!flat) {
				abut_shape_destroy(scene->shapes[body]);
				cr_assert_eq(abut_shape_create_capsule(0.03, 0.24, &scene->shapes[body], NULL),
				             ABUT_OK);
			}
			AbutJointDef *joint =
			    joint_scene_joint(scene, ABUT_JOINT_HINGE, k == 0 ? 0 : body - 1, body, anchor, y);
			joint->axes[0].damping = 0.1;
			joint->axes[0].armature = 0.01;
			joint->axes[0].friction = i == 2 ? 0.2 : 0.0;
			joint->axes[0].motor = (AbutMotorDef){.type = type,
			                                      .stiffness = type == ABUT_MOTOR_POSITION ? 300.0 : 0.0,
			                                      .damping = type == ABUT_MOTOR_POSITION ? 5.0 : 0.0,
			                                      .limit = k == 0 ? 25.0 : (double)INFINITY,
			                                      .target = type == ABUT_MOTOR_POSITION ? 0.1 * k : 0.5};
		}
	}
	const int floor = scene->def.n_bodies++;
	cr_assert_eq(abut_shape_create_halfspace(up, 0.0, &scene->shapes[floor], NULL), ABUT_OK);
	scene->bodies[floor] = abut_body_def_default();
	scene->bodies[floor].name = "floor";
	scene->bodies[floor].is_static = true;
	scene->bodies[floor].n_parts = 1;
	scene->bodies[floor].parts = (const AbutShape *const *)&scene->shapes[floor];
	robot_make(t, 0);
}

/* The robot falls on its feet and stands, on servos of which some are at their limits and some joints stick. */
Test(robot_inverse, returns_the_motors_on_the_ground)
{
	static const double timesteps[] = {0.002, 0.01, 0.02};
	for (int i = 0; i < 3; i++) {
		TestRobot t;
		AbutState *before;
		int n = 0, loaded = 0;
		walker(&t, ABUT_MOTOR_POSITION, 4, i != 1, timesteps[i]);
		cr_assert_eq(abut_state_create(t.scene.model, &before, NULL), ABUT_OK);
		for (int k = 0; k < (int)(1.0 / timesteps[i]); k++) {
			const Inverse inverse = invert_step(&t, before);
			n += inverse.step.parts == 1;
			loaded += inverse.step.active_contacts >= 4;
			if (inverse.step.parts == 1) {
				cr_expect_leq(inverse.worst, 1e-8, "%g s, step %d: %g", timesteps[i], k, inverse.worst);
				cr_expect_leq(inverse.info.residual, 1e-6);
			}
		}
		cr_expect_geq(n, (int)(0.9 / timesteps[i]));
		cr_expect_geq(loaded, (int)(0.5 / timesteps[i]));
		abut_state_destroy(before);
		robot_end(&t);
	}
}

/* From the motion alone, the force of the foot is found, with efforts that make the same step. */
Test(robot_inverse, efforts_found_from_the_motion_make_it)
{
	TestRobot t;
	AbutState *before, *after;
	AbutStepInfo info = {.row = 0};
	AbutError error = {.status = ABUT_OK};
	double effort[ROBOT_MOST], q[2][ROBOT_MOST];
	walker(&t, ABUT_MOTOR_FORCE, 1, false, 0.01);
	cr_assert_eq(abut_state_create(t.scene.model, &before, NULL), ABUT_OK);
	cr_assert_eq(abut_state_create(t.scene.model, &after, NULL), ABUT_OK);
	int pressed = 0;
	for (int k = 0; k < 60; k++) {
		AbutRobotInverse inverse;
		cr_assert_eq(abut_state_copy(t.scene.model, t.scene.state, before), ABUT_OK);
		cr_assert_eq(abut_step(t.scene.model, t.scene.state, t.scene.workspace, &info), ABUT_OK);
		cr_assert_eq(abut_robot_get_state(t.robot, t.scene.state, q[0], t.qdot), ABUT_OK);
		if (info.parts > 1) {
			continue;
		}
		cr_assert_eq(abut_robot_advance(t.robot, before, t.qdot, after), ABUT_OK);
		cr_assert_eq(abut_robot_inverse(t.robot, before, after, effort, &inverse, &error), ABUT_OK,
		             "step %d: %s", k, error.message);
		cr_expect(inverse.found);
		if (!inverse.exact) { /* a collision, in which the step turns the impulses of its joints */
			continue;
		}
		pressed += info.active_contacts;
		cr_expect_leq(inverse.residual, 1e-6, "step %d: %g", k, inverse.residual);
		for (int j = 0; j < 2; j++) {
			cr_assert_eq(abut_state_set_motor(t.scene.model, before, j, 0,
			                                  effort[abut_robot_joint_velocity(t.robot, j)]),
			             ABUT_OK);
		}
		cr_assert_eq(abut_step(t.scene.model, before, t.scene.workspace, &info), ABUT_OK);
		cr_assert_eq(abut_robot_get_state(t.robot, before, q[1], NULL), ABUT_OK);
		for (int i = 0; i < t.n_q; i++) {
			cr_expect_float_eq(q[1][i], q[0][i], 1e-8, "step %d, %s: %.12g, %.12g", k,
			                   abut_robot_coordinate_name(t.robot, i), q[1][i], q[0][i]);
		}
	}
	cr_expect_geq(pressed, 30);
	abut_state_destroy(before);
	abut_state_destroy(after);
	robot_end(&t);
}

/* A robot that stands is to stay: forces of all feet are found that carry it, and efforts that hold the legs. */
Test(robot_inverse, efforts_that_hold_a_pose_are_found)
{
	for (int flat = 0; flat < 2; flat++) {
		TestRobot t;
		AbutState *after;
		AbutRobotInverse info;
		AbutError error = {.status = ABUT_OK};
		double effort[ROBOT_MOST], bias[ROBOT_MOST];
		walker(&t, ABUT_MOTOR_POSITION, 4, flat == 1, 0.01);
		cr_assert_eq(abut_state_create(t.scene.model, &after, NULL), ABUT_OK);
		for (int k = 0; k < 300; k++) {
			AbutStepInfo step = {.row = 0};
			cr_assert_eq(abut_step(t.scene.model, t.scene.state, t.scene.workspace, &step), ABUT_OK);
			cr_assert_neq(step.outcome, ABUT_OUTCOME_FAILED);
		}
		memset(t.qdot, 0, sizeof t.qdot);
		cr_assert_eq(abut_robot_advance(t.robot, t.scene.state, t.qdot, after), ABUT_OK);
		cr_assert_eq(abut_robot_inverse(t.robot, t.scene.state, after, effort, &info, &error), ABUT_OK, "%s",
		             error.message);
		cr_expect(info.found);
		cr_expect_leq(info.residual, 1e-5, "%d: %g", flat, info.residual);
		/* without the floor, the base would need the whole weight */
		cr_assert_eq(abut_robot_get_state(t.robot, t.scene.state, t.q, NULL), ABUT_OK);
		cr_assert_eq(abut_robot_bias(t.robot, t.q, t.qdot, bias), ABUT_OK);
		cr_expect_float_eq(bias[abut_robot_base_velocity(t.robot, 0) + 2], 18.0 * 9.81, 1e-9);
		abut_state_destroy(after);
		robot_end(&t);
	}
}

/* All memory is allocated at creation, that of inverse kinematics by its first call. */
Test(robot_inverse, calls_allocate_nothing)
{
	TestRobot t;
	AbutState *before, *after;
	AbutStepInfo info = {.row = 0};
	static double out[ROBOT_MOST * ROBOT_MOST];
	const AbutRobotTarget target = {.body = 0, .frame.orientation = {1.0}, .place = true, .position = {0, 0, 0.7}};
	walker(&t, ABUT_MOTOR_POSITION, 4, true, 0.01);
	cr_assert_eq(abut_state_create(t.scene.model, &before, NULL), ABUT_OK);
	cr_assert_eq(abut_state_create(t.scene.model, &after, NULL), ABUT_OK);
	for (int i = 0; i < 50; i++) {
		cr_assert_eq(abut_state_copy(t.scene.model, t.scene.state, before), ABUT_OK);
		cr_assert_eq(abut_step(t.scene.model, t.scene.state, t.scene.workspace, &info), ABUT_OK);
	}
	cr_assert_eq(info.parts, 1);
	memset(t.qdot, 0, sizeof t.qdot);
	cr_expect_eq(abut_robot_reach(t.robot, 1, &target, t.q, NULL, NULL), ABUT_OK); /* allocates once */
	watch_begin(0);
	cr_expect_eq(abut_robot_get_state(t.robot, t.scene.state, t.q, NULL), ABUT_OK);
	cr_expect_eq(abut_robot_mass_matrix(t.robot, t.q, out), ABUT_OK);
	cr_expect_eq(abut_robot_bias(t.robot, t.q, t.qdot, out), ABUT_OK);
	cr_expect_eq(abut_robot_jacobian(t.robot, t.q, 2, t.qdot, out), ABUT_OK);
	cr_expect_eq(abut_robot_reach(t.robot, 1, &target, t.q, NULL, NULL), ABUT_OK);
	cr_expect_eq(abut_robot_inverse(t.robot, before, t.scene.state, out, NULL, NULL), ABUT_OK);
	cr_expect_eq(abut_robot_advance(t.robot, t.scene.state, t.qdot, after), ABUT_OK);
	cr_expect_eq(abut_robot_inverse(t.robot, t.scene.state, after, out, NULL, NULL), ABUT_OK);
	cr_expect_eq(abut_robot_set_state(t.robot, t.q, t.qdot, after), ABUT_OK);
	watch_end();
	cr_expect_eq(watch.calls, 0, "%ld allocations", watch.calls);
	abut_state_destroy(before);
	abut_state_destroy(after);
	robot_end(&t);
}

/* Whichever allocation fails, creation says so and frees what it has. */
Test(robot_inverse, creation_without_memory_fails)
{
	TestRobot t;
	AbutStatus status = ABUT_ERROR_MEMORY;
	walker(&t, ABUT_MOTOR_POSITION, 1, false, 0.01);
	for (long i = 1; status == ABUT_ERROR_MEMORY; i++) {
		AbutRobot *robot;
		AbutError error;
		cr_assert_leq(i, 1000);
		watch_begin(i);
		status = abut_robot_create(t.scene.model, &robot, &error);
		abut_robot_destroy(robot);
		watch_end();
		cr_expect_eq(watch.live, 0, "allocation %ld: %ld blocks are left", i, watch.live);
		cr_expect(status == ABUT_OK || status == ABUT_ERROR_MEMORY);
	}
	cr_expect_eq(status, ABUT_OK);
	robot_end(&t);
}
