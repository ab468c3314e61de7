/* Tests what the joint space refuses, how it says so, and the limits that it reports. */
#include "dynamics/robot/robot_scenes.h"

enum { CALLS = 8, OUT = 1000 };

/* Makes the call `i` of those without an AbutError. */
static AbutStatus call(TestRobot *t, int i, const double *q, const double *qdot)
{
	static double out[OUT];
	static const double point[3] = {0.0, 0.0, 0.0};
	AbutBodyState bodies[JOINT_BODIES];
	switch (i) {
	case 0:
		return abut_robot_mass_matrix(t->robot, q, out);
	case 1:
		return abut_robot_jacobian(t->robot, q, 1, point, out);
	case 2:
		return abut_robot_forward(t->robot, q, qdot, bodies);
	case 3:
		return abut_robot_bias(t->robot, q, qdot, out);
	case 4:
		return abut_robot_integrate(t->robot, q, qdot, 0.1, out);
	case 5:
		return abut_robot_set_state(t->robot, q, qdot, t->scene.state);
	case 6:
		return abut_robot_effort(t->robot, q, qdot, qdot, out);
	default:
		return abut_robot_advance(t->robot, t->scene.state, qdot, t->scene.state);
	}
}

static void expect_error(const TestRobot *t, AbutStatus status, const char *where, const char *message)
{
	const AbutError *error = abut_robot_error(t->robot);
	cr_expect_eq(status, ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error->where, where);
	cr_expect(strstr(error->message, message), "'%s' does not contain '%s'", error->message, message);
}

/* A box on a ball, which hangs on a hinge of a free base: n0 (base), n0 (hinge), n1 (ball). */
static void floating(TestRobot *t)
{
	static const double half[3] = {0.1, 0.1, 0.1}, y[3] = {0.0, 1.0, 0.0};
	joint_scene_begin(&t->scene, 0.01);
	for (int i = 0; i < 3; i++) {
		const double place[3] = {i, 0.0, 0.0}, anchor[3] = {i - 0.5, 0.0, 0.0};
		joint_scene_box(&t->scene, half, 1.0, place);
		if (i > 0) {
			joint_scene_joint(&t->scene, i == 1 ? ABUT_JOINT_HINGE : ABUT_JOINT_BALL, i - 1, i, anchor, y);
		}
	}
	robot_make(t, 0);
}

/* Each function names the entry that is wrong, its value and what is allowed, and accepts the next call. */
Test(robot_values, wrong_entries_are_named)
{
	TestRobot t;
	double q[ROBOT_MOST], qdot[ROBOT_MOST];
	floating(&t);
	for (int i = 0; i < CALLS; i++) {
		for (int wrong = 0; wrong < 4; wrong++) {
			static const char *const messages[] = {
			    "entry 0 (n0) is nan; it must be finite",
			    "the quaternion of base 'n0' has the length 1.5; it must be 1",
			    "entry 2 (n1.1) is inf; it must be finite", NULL};
			memcpy(q, t.q, sizeof q);
			memcpy(qdot, t.qdot, sizeof qdot);
			if (wrong == 0) {
				q[0] = (double)NAN;
			} else if (wrong == 1) {
				for (int k = 7; k < 11; k++) {
					q[k] *= 1.5;
				}
			} else if (wrong == 2) {
				qdot[2] = (double)INFINITY;
			}
			if (wrong == 3 || (wrong == 2 && i < 2) || (wrong < 2 && i == CALLS - 1)) {
				cr_expect_eq(call(&t, i, q, qdot), ABUT_OK, "call %d", i);
			} else {
				expect_error(&t, call(&t, i, q, qdot), wrong == 2 ? "qdot" : "q", messages[wrong]);
			}
		}
		expect_error(&t, call(&t, i, i < CALLS - 1 ? NULL : q, i < CALLS - 1 ? qdot : NULL),
		             i < CALLS - 1 ? "q" : "qdot", "must not be NULL");
	}
	robot_end(&t);
}

/* Rates are refused by what they would do in a step. */
Test(robot_values, rates_that_are_too_large_are_named)
{
	TestRobot t;
	double qdot[ROBOT_MOST] = {0.0}, q[ROBOT_MOST];
	floating(&t);
	qdot[0] = 400.0;
	expect_error(&t, abut_robot_set_state(t.robot, t.q, qdot, t.scene.state), "qdot",
	             "n0 turns at 400 rad/s, by 4 rad in a step of 0.01 s; less than pi is allowed");
	qdot[0] = 0.0;
	qdot[1] = 400.0;
	expect_error(&t, abut_robot_integrate(t.robot, t.q, qdot, 0.01, q), "qdot",
	             "ball 'n1' turns by more than pi in 0.01 s");
	qdot[1] = 0.0;
	qdot[8] = 400.0;
	expect_error(&t, abut_robot_integrate(t.robot, t.q, qdot, 0.01, q), "qdot",
	             "base 'n0' turns by more than pi in 0.01 s");
	qdot[8] = 0.0;
	qdot[4] = 2e9;
	expect_error(&t, abut_robot_set_state(t.robot, t.q, qdot, t.scene.state), "qdot", "body 'n0' would be at (");
	expect_error(&t, abut_robot_integrate(t.robot, t.q, qdot, (double)INFINITY, q), "time",
	             "is inf s; it must be finite");
	const double nowhere[3] = {0.0, (double)NAN, 0.0}, origin[3] = {0.0, 0.0, 0.0};
	expect_error(&t, abut_robot_jacobian(t.robot, t.q, 1, nowhere, q), "point", "must be given, and be finite");
	expect_error(&t, abut_robot_jacobian(t.robot, t.q, 3, origin, q), "body", "is 3; the model has 3 bodies");
	cr_expect_null(abut_robot_error(NULL));
	robot_end(&t);
}

/* States of other models are refused by all functions that take one. */
Test(robot_values, states_of_other_models_are_refused)
{
	TestRobot t, other;
	floating(&t);
	floating(&other);
	expect_error(&t, abut_robot_get_state(t.robot, other.scene.state, t.q, NULL), "state", "of another model");
	expect_error(&t, abut_robot_set_state(t.robot, t.q, t.qdot, other.scene.state), "state", "of another model");
	expect_error(&t, abut_robot_advance(t.robot, other.scene.state, t.qdot, t.scene.state), "before",
	             "of another model");
	expect_error(&t, abut_robot_advance(t.robot, t.scene.state, t.qdot, NULL), "after", "must not be NULL");
	robot_end(&other);
	robot_end(&t);
}

/* Limits are reported in SI; coordinates beyond them are set, and the next step returns to them. */
Test(robot_values, limits_are_reported_and_coordinates_beyond_them_accepted)
{
	static const double half[3] = {0.1, 0.1, 0.1}, x[3] = {1.0, 0.0, 0.0};
	TestRobot t;
	AbutStepInfo info = {.row = 0};
	double lower[ROBOT_MOST], upper[ROBOT_MOST];
	joint_scene_begin(&t.scene, 0.01);
	for (int i = 0; i < 2; i++) {
		const double place[3] = {i, 0.0, 0.0};
		joint_scene_box(&t.scene, half, 1.0, place);
	}
	AbutJointDef *slide =
	    joint_scene_joint(&t.scene, ABUT_JOINT_SLIDE, ABUT_JOINT_WORLD, 0, t.scene.bodies[0].position, x);
	slide->axes[0].has_limits = true;
	slide->axes[0].lower = -0.25;
	slide->axes[0].upper = 0.75;
	joint_scene_make(&t.scene);
	cr_assert_eq(abut_robot_create(t.scene.model, &t.robot, NULL), ABUT_OK);
	cr_assert_eq(abut_robot_limits(t.robot, lower, upper), ABUT_OK);
	cr_expect_eq(abut_robot_limits(t.robot, NULL, upper), ABUT_ERROR_ARGUMENT);
	cr_expect_float_eq(lower[0], -0.25, 1e-15);
	cr_expect_float_eq(upper[0], 0.75, 1e-15);
	for (int i = 1; i < abut_robot_coordinate_count(t.robot); i++) {
		cr_expect(isinf(lower[i]) && lower[i] < 0.0 && isinf(upper[i]) && upper[i] > 0.0);
	}
	memset(t.qdot, 0, sizeof t.qdot);
	cr_assert_eq(abut_robot_get_state(t.robot, t.scene.state, t.q, NULL), ABUT_OK);
	t.q[0] = 0.8;
	cr_expect_eq(abut_robot_set_state(t.robot, t.q, t.qdot, t.scene.state), ABUT_OK);
	cr_assert_eq(abut_step(t.scene.model, t.scene.state, t.scene.workspace, &info), ABUT_OK);
	cr_assert_eq(abut_robot_get_state(t.robot, t.scene.state, t.q, NULL), ABUT_OK);
	cr_expect_float_eq(t.q[0], 0.75, 1e-9, "%.12g", t.q[0]);
	robot_end(&t);
}
