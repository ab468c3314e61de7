/* Tests inverse dynamics of robots in method convex: the inverse of a step returns the efforts of its motors, with the
 * forces of contacts, soft limits, dry friction and soft equalities from the motion alone. */
#include <math.h>
#include <string.h>

#include "dynamics/joint_chain.h"
#include "dynamics/robot/robot_scenes.h"

/* What acted in the steps. */
typedef struct Seen {
	int steps, contacts, limits, frictions, equalities;
	double worst; /* relative to 1 and the largest effort, force and reaction */
} Seen;

/* Returns the largest effort that acts in a step, and counts what acts. */
static double look(const TestRobot *t, Seen *seen)
{
	const JointScene *scene = &t->scene;
	double largest = 1.0;
	for (int i = 0; i < abut_contact_count(scene->workspace); i++) {
		AbutContact contact;
		abut_contact_get(scene->model, scene->workspace, i, &contact);
		largest = fmax(largest, contact.normal_impulse / scene->def.timestep);
		seen->contacts += contact.normal_impulse > 0.0;
	}
	for (int i = 0; i < scene->def.n_joints; i++) {
		const AbutJointState joint = joint_scene_read(scene, i);
		for (int k = 0; k < joint.n_axes; k++) {
			largest = fmax(largest, fmax(fabs(joint.motor_effort[k]), fabs(joint.limit_effort[k])));
			seen->limits += joint.limit_effort[k] != 0.0;
			seen->frictions += joint.friction_effort[k] != 0.0;
		}
		largest = fmax(largest, abut_norm3(joint.force));
		seen->equalities += scene->def.joints[i].has_equality_spring;
	}
	return largest;
}

/* Takes steps and inverts each: as the step that led to its end, and (`anew`) as a motion of which only the velocities
 * are known. */
static void invert_steps(TestRobot *t, int steps, bool anew, double allowed, Seen *seen)
{
	JointScene *scene = &t->scene;
	AbutState *before, *after;
	double effort[ROBOT_MOST], qdot[ROBOT_MOST];
	cr_assert_eq(abut_state_create(scene->model, &before, NULL), ABUT_OK);
	cr_assert_eq(abut_state_create(scene->model, &after, NULL), ABUT_OK);
	for (int i = 0; i < steps; i++) {
		AbutStepInfo info = {.row = 0};
		AbutRobotInverse inverse;
		AbutError error = {.status = ABUT_OK};
		cr_assert_eq(abut_state_copy(scene->model, scene->state, before), ABUT_OK);
		cr_assert_eq(abut_step(scene->model, scene->state, scene->workspace, &info), ABUT_OK);
		cr_assert_neq(info.outcome, ABUT_OUTCOME_FAILED, "step %d: residual %g", i, info.residual);
		const double scale = look(t, seen);
		cr_assert_eq(abut_robot_get_state(t->robot, scene->state, NULL, qdot), ABUT_OK);
		cr_assert_eq(abut_robot_advance(t->robot, before, qdot, after), ABUT_OK);
		cr_assert_eq(
		    abut_robot_inverse(t->robot, before, anew ? after : scene->state, effort, &inverse, &error),
		    ABUT_OK, "%s", error.message);
		cr_expect_not(inverse.found);
		if (!inverse.exact) {
			continue; /* impulses of joints turned further in the step (theta) */
		}
		seen->steps++;
		for (int j = 0; j < scene->def.n_joints; j++) {
			const AbutJointState joint = joint_scene_read(scene, j);
			const int first = abut_robot_joint_velocity(t->robot, j);
			for (int k = 0; first >= 0 && k < joint.n_axes; k++) {
				effort[first + k] -= joint.motor_effort[k];
			}
		}
		const double off = robot_largest(effort, t->n_v) / scale;
		seen->worst = fmax(seen->worst, off);
		cr_expect_leq(off, allowed, "step %d: %g (residual %g)", i, off, info.residual);
	}
	abut_state_destroy(before);
	abut_state_destroy(after);
}

/* Shipped robots fall and are driven at random. */
Test(convex_robot_inverse, returns_the_motors_of_shipped_robots)
{
	static const char *const names[] = {"hopper", "quadruped", "biped", "cart_pendulum", "double_pendulum"};
	for (int i = 0; i < 5; i++) {
		TestRobot t = {.n_q = 0};
		AbutScene *scene;
		AbutError error = {.status = ABUT_OK};
		Seen seen = {0};
		char path[300];
		snprintf(path, sizeof path, ABUT_SOURCE_DIR "/experiments/scenes/%s.json", names[i]);
		cr_assert_eq(abut_scene_load(path, 0, NULL, &scene, &error), ABUT_OK, "%s", error.message);
		t.scene.def = *abut_scene_def(scene);
		t.scene.def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, ABUT_METHOD_CONVEX);
		robot_make(&t, 1);
		invert_steps(&t, 60, false, 1e-8, &seen);
		invert_steps(&t, 60, true, 1e-8, &seen);
		cr_log_info("%s: %d steps, %d contacts, %d limits, %d frictions, worst %g", names[i], seen.steps,
		            seen.contacts, seen.limits, seen.frictions, seen.worst);
		cr_expect_geq(seen.steps, 100);
		abut_robot_destroy(t.robot);
		t.scene.def.n_bodies = 0; /* the shapes are the scene's */
		joint_scene_end(&t.scene);
		abut_scene_destroy(scene);
	}
}

/* A chain with soft limits and friction, whose end a connect holds to a free box on the floor. A step finds the
 * velocities along the rows to some 1e-11; times the weights of the rows over the timestep, this is 2e-8 N. */
Test(convex_robot_inverse, returns_the_motors_of_soft_loops)
{
	static const double half[3] = {0.1, 0.05, 0.05}, y[3] = {0.0, 1.0, 0.0};
	TestRobot t = {.n_q = 0};
	JointScene *scene = &t.scene;
	Seen seen = {0};
	joint_scene_begin(scene, 0.01);
	for (int i = 0; i < 4; i++) {
		const double place[3] = {0.2 * i + 0.1, 0.0, 0.5}, anchor[3] = {0.2 * i, 0.0, 0.5};
		joint_scene_box(scene, half, 1.0, place);
		AbutJointDef *joint = joint_scene_joint(scene, i == 3 ? ABUT_JOINT_BALL : ABUT_JOINT_HINGE,
		                                        i == 0 ? ABUT_JOINT_WORLD : i - 1, i, anchor, y);
		joint->has_equality_spring = i == 3;
		joint->axes[0].has_limits = i == 1;
		joint->axes[0].lower = -0.05;
		joint->axes[0].upper = 0.05;
		joint->axes[0].friction = i == 2 ? 0.2 : 0.0;
		joint->axes[0].armature = i == 2 ? 0.02 : 0.0;
		if (i < 3) {
			joint->axes[0].motor =
			    (AbutMotorDef){ABUT_MOTOR_FORCE, .limit = (double)INFINITY, .target = 0.3 * i};
		}
	}
	static const double floor_half[3] = {2.0, 2.0, 0.1}, under[3] = {0.0, 0.0, 0.3};
	scene->bodies[joint_scene_box(scene, floor_half, 0.0, under)].is_static = true;
	scene->def.all_pairs = true;
	scene->def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, ABUT_METHOD_CONVEX);
	robot_make(&t, 3);
	invert_steps(&t, 150, false, 3e-8, &seen);
	invert_steps(&t, 150, true, 3e-8, &seen);
	cr_log_info("%d steps, %d contacts, %d limits, %d frictions, %d equalities, worst %g", seen.steps,
	            seen.contacts, seen.limits, seen.frictions, seen.equalities, seen.worst);
	cr_expect_geq(seen.steps, 290);
	cr_expect(seen.contacts > 50 && seen.limits > 50 && seen.frictions > 250 && seen.equalities == 300);
	robot_end(&t);
}

/* The forces of rigid loops do not follow from a motion. */
Test(convex_robot_inverse, refuses_rigid_loops_of_a_wanted_motion)
{
	TestRobot t = {.n_q = 0};
	AbutScene *scene;
	AbutState *after;
	AbutError error = {.status = ABUT_OK};
	double effort[ROBOT_MOST];
	cr_assert_eq(abut_scene_load(ABUT_SOURCE_DIR "/experiments/scenes/four_bar.json", 0, NULL, &scene, &error),
	             ABUT_OK, "%s", error.message);
	t.scene.def = *abut_scene_def(scene);
	t.scene.def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, ABUT_METHOD_CONVEX);
	robot_make(&t, 1);
	cr_assert_eq(abut_state_create(t.scene.model, &after, NULL), ABUT_OK);
	memset(t.qdot, 0, sizeof t.qdot);
	cr_assert_eq(abut_robot_advance(t.robot, t.scene.state, t.qdot, after), ABUT_OK);
	cr_expect_eq(abut_robot_inverse(t.robot, t.scene.state, after, effort, NULL, &error), ABUT_ERROR_UNSUPPORTED);
	cr_expect(strstr(error.message, "closes a loop"), "%s", error.message);
	Seen seen = {0};
	invert_steps(&t, 40, false, 1e-8, &seen);
	cr_expect_eq(seen.steps, 40);
	abut_state_destroy(after);
	abut_robot_destroy(t.robot);
	t.scene.def.n_bodies = 0; /* the shapes are the scene's */
	joint_scene_end(&t.scene);
	abut_scene_destroy(scene);
}
