/* Tests inverse kinematics: targets that are known to be reachable, limits, loops and couplings. */
#include <sys/resource.h>

#include "dynamics/robot/robot_scenes.h"
#include "effort.h"

/* Returns the frame `frame` of a body at q as a target. */
static AbutRobotTarget target_at(TestRobot *t, const double *q, int body, const double point[3])
{
	AbutBodyState bodies[JOINT_BODIES];
	AbutRobotTarget target = {.body = body, .frame.orientation = {1.0}, .place = true, .turn = true};
	double R[9];
	cr_assert_eq(abut_robot_forward(t->robot, q, NULL, bodies), ABUT_OK);
	abut_copy3(point, target.frame.position);
	abut_quat_to_mat3(bodies[body].orientation, R);
	abut_mat3_vec(R, point, target.position);
	abut_add3(target.position, bodies[body].position, target.position);
	memcpy(target.orientation, bodies[body].orientation, sizeof target.orientation);
	return target;
}

/* Frames of poses of random robots are reached from other poses nearby. */
Test(robot_reach, frames_of_known_poses_are_reached)
{
	static const double point[3] = {0.2, 0.1, -0.1};
	for (unsigned seed = 0; seed < 40; seed++) {
		TestRobot t;
		AbutRobotReach info;
		AbutError error = {.status = ABUT_OK};
		double q[ROBOT_MOST];
		const int n = 3 + (int)seed % 7;
		robot_begin(&t, n, seed % 2 == 0, seed);
		cr_assert_eq(abut_robot_integrate(t.robot, t.q, t.qdot, 0.5, q), ABUT_OK);
		const AbutRobotTarget targets[2] = {target_at(&t, t.q, n - 1, point), target_at(&t, t.q, n / 2, point)};
		cr_expect_eq(abut_robot_reach(t.robot, 2, targets, q, &info, &error), ABUT_OK, "seed %u: %s", seed,
		             error.message);
		for (int i = 0; i < 2; i++) {
			const AbutRobotTarget found = target_at(&t, q, targets[i].body, point);
			for (int k = 0; k < 3; k++) {
				cr_expect_float_eq(found.position[k], targets[i].position[k], 1e-9, "seed %u", seed);
			}
			double same = 0.0;
			for (int k = 0; k < 4; k++) {
				same += found.orientation[k] * targets[i].orientation[k];
			}
			cr_expect_float_eq(fabs(same), 1.0, 1e-9, "seed %u", seed);
		}
		robot_end(&t);
	}
}

/* An arm of two links of 1 m on the world, in the xz plane. */
static void arm_define(TestRobot *t)
{
	static const double half[3] = {0.5, 0.05, 0.05}, y[3] = {0.0, 1.0, 0.0};
	joint_scene_begin(&t->scene, 0.01);
	for (int i = 0; i < 2; i++) {
		const double place[3] = {0.5 + i, 0.0, 0.0}, anchor[3] = {i, 0.0, 0.0};
		joint_scene_box(&t->scene, half, 1.0, place);
		joint_scene_joint(&t->scene, ABUT_JOINT_HINGE, i - 1, i, anchor, y);
	}
}

static AbutRobotTarget hand_at(double x, double z)
{
	return (AbutRobotTarget){.body = 1,
	                         .frame = {.position = {0.5, 0.0, 0.0}, .orientation = {1.0}},
	                         .place = true,
	                         .position = {x, 0.0, z}};
}

/* The law of cosines gives the elbow. */
Test(robot_reach, arm_has_the_elbow_of_the_law_of_cosines)
{
	TestRobot t;
	AbutRobotReach info;
	arm_define(&t);
	robot_make(&t, 0);
	t.q[0] = 0.2;
	t.q[1] = 0.5;
	const AbutRobotTarget hand = hand_at(1.0, -0.8);
	cr_assert_eq(abut_robot_reach(t.robot, 1, &hand, t.q, &info, NULL), ABUT_OK);
	cr_expect_float_eq(cos(t.q[1]), (1.64 - 2.0) / 2.0, 1e-9);
	cr_expect_float_eq(cos(t.q[0]) + cos(t.q[0] + t.q[1]), 1.0, 1e-9);
	robot_end(&t);
}

/* A hand that is to be 3 m away stretches the arm towards it; one whose elbow may bend by 1 rad only stays outside. */
Test(robot_reach, targets_out_of_reach_are_approached)
{
	TestRobot t;
	AbutRobotReach info;
	AbutError error;
	arm_define(&t);
	t.scene.joints[1].axes[0].has_limits = true;
	t.scene.joints[1].axes[0].lower = -1.0;
	t.scene.joints[1].axes[0].upper = 1.0;
	robot_make(&t, 0);
	t.q[0] = 0.2;
	t.q[1] = 0.5;
	AbutRobotTarget hand = hand_at(3.0 * cos(0.4), -3.0 * sin(0.4));
	cr_expect_eq(abut_robot_reach(t.robot, 1, &hand, t.q, &info, &error), ABUT_ERROR_NUMERICAL);
	cr_expect(strstr(error.message, "are not reached"), "%s", error.message);
	cr_expect_float_eq(info.error_m, 1.0, 1e-6, "%.9g", info.error_m);
	cr_expect_float_eq(t.q[0], 0.4, 1e-3);
	hand = hand_at(0.9, 0.0);
	t.q[0] = -0.2;
	t.q[1] = 0.5;
	cr_expect_eq(abut_robot_reach(t.robot, 1, &hand, t.q, &info, &error), ABUT_ERROR_NUMERICAL);
	cr_expect_float_eq(t.q[1], 1.0, 1e-12);
	cr_expect_float_eq(info.error_m, 2.0 * cos(0.5) - 0.9, 1e-6, "%.9g", info.error_m);
	robot_end(&t);
}

Test(robot_reach, loops_stay_closed)
{
	TestRobot t;
	AbutRobotReach info;
	AbutError error = {.status = ABUT_OK};
	four_bar_define(&t, false);
	robot_make(&t, 0);
	double violation = -1.0;
	cr_assert_eq(abut_robot_loop_count(t.robot), 1);
	cr_expect_eq(abut_robot_violation(t.robot, (const double[3]){0.2, -0.2, 0.2}, &violation, &error), ABUT_OK);
	cr_expect_leq(violation, 1e-12);
	/* the last crank alone turns: its pin, 1 m from its pivot, leaves the other one by the chord */
	cr_expect_eq(abut_robot_violation(t.robot, (const double[3]){0.0, 0.0, 0.2}, &violation, &error), ABUT_OK);
	cr_expect_gt(violation, 0.1);
	cr_expect_eq(abut_robot_violation(t.robot, t.q, NULL, &error), ABUT_ERROR_ARGUMENT);
	memcpy(t.q, (const double[3]){0.3, -0.2, 0.1}, 3 * sizeof *t.q); /* open */
	cr_assert_eq(abut_robot_close(t.robot, t.q, &info, &error), ABUT_OK, "%s", error.message);
	cr_expect_leq(info.violation, 1e-10);
	cr_expect_float_eq(t.q[1], -t.q[0], 1e-9);
	cr_expect_float_eq(t.q[2], t.q[0], 1e-9);
	/* the coupler moves with the cranks: its centre to the height cos(0.7) */
	const AbutRobotTarget target = {
	    .body = 1, .frame.orientation = {1.0}, .place = true, .position = {1.0 + sin(0.7), 0.0, cos(0.7)}};
	cr_assert_eq(abut_robot_reach(t.robot, 1, &target, t.q, &info, &error), ABUT_OK, "%s", error.message);
	cr_expect_float_eq(t.q[0], 0.7, 1e-9);
	cr_expect_float_eq(t.q[1], -0.7, 1e-9);
	robot_end(&t);
}

Test(robot_reach, couplings_are_kept)
{
	TestRobot t;
	AbutRobotReach info;
	AbutError error = {.status = ABUT_OK};
	four_bar_define(&t, true);
	robot_make(&t, 0);
	t.q[0] = 0.1;
	t.q[1] = -0.4;
	const AbutRobotTarget target = {
	    .body = 1, .frame.orientation = {1.0}, .place = true, .position = {1.0 + sin(0.7), 0.0, cos(0.7)}};
	cr_assert_eq(abut_robot_reach(t.robot, 1, &target, t.q, &info, &error), ABUT_OK, "%s", error.message);
	cr_expect_float_eq(t.q[0], 0.7, 1e-9);
	cr_expect_float_eq(t.q[1], -0.7, 1e-9);
	robot_end(&t);
}

Test(robot_reach, wrong_targets_are_refused)
{
	TestRobot t;
	AbutError error;
	arm_define(&t);
	robot_make(&t, 0);
	AbutRobotTarget hand = hand_at(1.0, 0.0);
	cr_expect_eq(abut_robot_reach(t.robot, ABUT_ROBOT_TARGETS_MAX + 1, &hand, t.q, NULL, &error),
	             ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "there are 65 targets; 1 to 64"), "%s", error.message);
	cr_expect_eq(abut_robot_reach(t.robot, 0, &hand, t.q, NULL, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "there are 0 targets; 1 to 64"), "%s", error.message);
	hand.body = 2;
	cr_expect_eq(abut_robot_reach(t.robot, 1, &hand, t.q, NULL, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "body 2 of target 0 does not exist"), "%s", error.message);
	hand = hand_at((double)NAN, 0.0);
	cr_expect_eq(abut_robot_reach(t.robot, 1, &hand, t.q, NULL, &error), ABUT_ERROR_ARGUMENT);
	robot_end(&t);
}

/* The elbow cannot get from one side to the other, as it is limited to both. From the wrong side, the first start ends
 * away from the target, and random starts find the right side, the same ones for the same seed. */
Test(robot_reach, random_starts_reach_what_the_hint_does_not)
{
	TestRobot t;
	AbutRobotReach info, again;
	AbutError error;
	double q[ROBOT_MOST], other[ROBOT_MOST];
	arm_define(&t);
	t.scene.joints[0].axes[0] = (AbutJointAxis){.has_limits = true, .lower = -1.0, .upper = 1.0};
	t.scene.joints[1].axes[0] = (AbutJointAxis){.has_limits = true, .lower = -2.5, .upper = 2.5};
	robot_make(&t, 0);
	AbutRobotTarget hand = hand_at(cos(-0.9) + cos(-0.9 + 2.2), -sin(-0.9) - sin(-0.9 + 2.2));
	hand.name = "hand";
	memcpy(q, (const double[2]){0.9, -2.4}, 2 * sizeof *q);
	memcpy(t.q, q, sizeof q);
	cr_expect_eq(abut_robot_reach(t.robot, 1, &hand, t.q, &info, &error), ABUT_ERROR_NUMERICAL);
	cr_expect(strstr(error.message, "found from 1 start misses") && strstr(error.message, "target 0 (hand) most"),
	          "%s", error.message);
	memcpy(t.q, q, sizeof q);
	cr_assert_eq(abut_robot_search(t.robot, 1, &hand, 20, 3, t.q, &info, &error), ABUT_OK, "%s", error.message);
	cr_expect_gt(info.start, 0);
	cr_expect_float_eq(t.q[0], -0.9, 1e-8, "%.12g", t.q[0]);
	cr_expect_float_eq(t.q[1], 2.2, 1e-8, "%.12g", t.q[1]);
	memcpy(other, q, sizeof q);
	cr_assert_eq(abut_robot_search(t.robot, 1, &hand, 20, 3, other, &again, &error), ABUT_OK);
	cr_expect(memcmp(other, t.q, 2 * sizeof *q) == 0 && again.start == info.start);
	/* what the hint reaches stays near it */
	memcpy(t.q, (const double[2]){-0.7, 2.0}, 2 * sizeof *q);
	cr_assert_eq(abut_robot_search(t.robot, 1, &hand, 20, 3, t.q, &info, &error), ABUT_OK);
	cr_expect_eq(info.start, 0);
	/* of starts that all miss, the nearest pose: the stretched arm */
	hand = hand_at(3.0, 0.0);
	memcpy(t.q, q, sizeof q);
	cr_expect_eq(abut_robot_search(t.robot, 1, &hand, 10, 0, t.q, &info, &error), ABUT_ERROR_NUMERICAL);
	cr_expect_float_eq(info.error_m, 1.0, 1e-6, "%g", info.error_m);
	cr_expect(strstr(error.message, "from 10 starts"), "%s", error.message);
	cr_expect_eq(abut_robot_search(t.robot, 1, &hand, 0, 0, t.q, &info, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "is 0; at least 1"), "%s", error.message);
	robot_end(&t);
}

/* Returns whether coordinates are within the limits of the robot, and rotation vectors of balls within pi. */
static bool is_possible(const TestRobot *t, const double *q)
{
	double lower[ROBOT_MOST], upper[ROBOT_MOST];
	bool possible = abut_robot_limits(t->robot, lower, upper) == ABUT_OK && abut_all_finite(q, t->n_q);
	for (int i = 0; i < t->n_q; i++) {
		possible = possible && q[i] >= lower[i] && q[i] <= upper[i];
	}
	for (int i = 0; i < t->scene.def.n_joints; i++) {
		const int at = abut_robot_joint_coordinate(t->robot, i);
		possible = possible && (t->scene.joints[i].type != ABUT_JOINT_BALL || abut_norm3(&q[at]) <= M_PI);
	}
	return possible;
}

/* What random starts of robots with joints of all types lead to is possible: all five are made, as the target is out of
 * reach, and of many robots a random one comes nearer to it than the hint. */
Test(robot_reach, random_starts_of_all_joints_are_possible)
{
	enum { SEEDS = 20 };
	static const double point[3] = {0.2, 0.1, -0.1};
	int random = 0;
	for (unsigned seed = 0; seed < SEEDS; seed++) {
		TestRobot t;
		AbutRobotReach info, first;
		AbutError error = {.status = ABUT_OK};
		double q[ROBOT_MOST];
		robot_define(&t, 5, true, seed);
		for (int i = 0; i < t.scene.def.n_joints; i++) {
			AbutJointDef *joint = &t.scene.joints[i];
			const int n = joint->type == ABUT_JOINT_BALL ? 0 : abut_joint_type_freedoms(joint->type);
			for (int k = 0; k < n; k++) {
				joint->axes[k].has_limits = true;
				joint->axes[k].lower = -0.6;
				joint->axes[k].upper = 0.5 + 0.1 * k;
			}
		}
		robot_make(&t, seed);
		memcpy(q, t.q, sizeof q);
		AbutRobotTarget target = target_at(&t, t.q, 4, point);
		target.position[0] += 100.0;
		cr_expect_eq(abut_robot_search(t.robot, 1, &target, 5, (int)seed, t.q, &info, &error),
		             ABUT_ERROR_NUMERICAL);
		cr_expect(strstr(error.message, "from 5 starts"), "seed %u: %s", seed, error.message);
		cr_expect(is_possible(&t, t.q), "seed %u", seed);
		cr_expect(info.start >= 0 && info.start < 5, "seed %u: %d", seed, info.start);
		cr_expect_eq(abut_robot_reach(t.robot, 1, &target, q, &first, &error), ABUT_ERROR_NUMERICAL);
		cr_expect_leq(info.error_m + info.error_rad, first.error_m + first.error_rad, "seed %u", seed);
		random += info.start > 0 ? 1 : 0;
		robot_end(&t);
	}
	cr_expect_geq(random, SEEDS / 4, "%d", random);
}

/* Only inverse kinematics needs memory for the square of the number of velocities. The address sanitizer needs more
 * address space than the limit of this test. */
Test(robot_reach, kinematics_of_many_bodies_needs_little_memory)
{
	enum { N = 8000 };
	static AbutBodyDef bodies[N];
	static AbutBodyState out[N];
	static double q[7 * N];
	static char names[N][8];
	const double half[3] = {0.1, 0.1, 0.1};
	AbutShape *shape;
	AbutModel *model;
	AbutState *state;
	AbutRobot *robot;
	AbutError error = {.status = ABUT_OK};
	struct rlimit limit;
	if (TEST_SLOWDOWN > 1.0) {
		cr_skip_test("the address sanitizer needs more address space");
	}
	cr_assert_eq(abut_shape_create_box(half, &shape, NULL), ABUT_OK);
	AbutSceneDef def = abut_scene_def_default();
	def.bodies = bodies;
	def.n_bodies = N;
	def.all_pairs = false;
	for (int i = 0; i < N; i++) {
		bodies[i] = abut_body_def_default();
		snprintf(names[i], sizeof names[i], "%d", i);
		bodies[i].name = names[i];
		bodies[i].mass = 1.0;
		bodies[i].n_parts = 1;
		bodies[i].parts = (const AbutShape *const *)&shape;
		bodies[i].position[0] = i;
	}
	cr_assert_eq(abut_model_create(&def, &model, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_state_create(model, &state, NULL), ABUT_OK);
	cr_assert_eq(getrlimit(RLIMIT_AS, &limit), 0);
	limit.rlim_cur = 2000000000; /* the matrix of inverse kinematics takes 18 GB */
	cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
	cr_assert_eq(abut_robot_create(model, &robot, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_robot_get_state(robot, state, q, NULL), ABUT_OK);
	cr_assert_eq(abut_robot_forward(robot, q, NULL, out), ABUT_OK);
	cr_expect_eq(out[N - 1].position[0], N - 1);
	cr_expect_eq(abut_robot_close(robot, q, NULL, &error), ABUT_ERROR_MEMORY);
	/* 8 n^2 bytes of the matrix and 3072 n of the targets */
	cr_expect(strstr(error.message, "48000 velocities and 0 rows of loops and couplings needs 1.86e+04 MB"), "%s",
	          error.message);
	abut_robot_destroy(robot);
	abut_state_destroy(state);
	abut_model_destroy(model);
	abut_shape_destroy(shape);
}

Test(robot_reach, wrong_targets_are_named)
{
	TestRobot t;
	AbutError error;
	robot_begin(&t, 2, true, 1);
	for (int i = 0; i < 5; i++) {
		static const char *const messages[] = {"target 0 (n0) asks for nothing", "frame.position of target 0",
		                                       "position of target 0 (n0) is (nan, 0, 0) m",
		                                       "frame.orientation of target 0 (n0) is (1, 0.1, 0, 0)",
		                                       "orientation of target 0 (hand) is (1, 0.1, 0, 0)"};
		AbutRobotTarget target = abut_robot_target_default();
		target.name = i == 4 ? "hand" : NULL;
		target.turn = i > 0;
		target.place = i > 0;
		target.frame.position[0] = i == 1 ? (double)NAN : 0.0;
		target.position[0] = i == 2 ? (double)NAN : 0.0;
		target.frame.orientation[1] = i == 3 ? 0.1 : 0.0;
		target.orientation[1] = i == 4 ? 0.1 : 0.0;
		cr_expect_eq(abut_robot_reach(t.robot, 1, &target, t.q, NULL, &error), ABUT_ERROR_ARGUMENT);
		cr_expect_eq(strncmp(error.message, messages[i], strlen(messages[i])), 0, "%s", error.message);
	}
	robot_end(&t);
}
