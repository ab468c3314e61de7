/* Tests inverse dynamics in loops and with couplings, where motors share what moves the robot. Turns of the four hinges
 * of a parallelogram (four_bar_define) are in the ratios 1, -1, 1, 1: each is that of the child in its parent, and the
 * coupler does not turn, the second crank turns as the first does. By virtual work, motors of efforts u do the work of
 * u0 - u1 + u2 + u3 on its crank. */
#include "allocation_watch.h"
#include "dynamics/robot/robot_scenes.h"

static const double g = 9.81, ratios[4] = {1.0, -1.0, 1.0, 1.0};

/* Gives the joints of a mask motors that exert their targets. */
static void drive(TestRobot *t, int mask)
{
	for (int i = 0; i < t->scene.def.n_joints; i++) {
		t->scene.joints[i].axes[0].motor.type = mask & 1 << i ? ABUT_MOTOR_FORCE : ABUT_MOTOR_NONE;
	}
}

/* Makes the robot at the crank's angle and rate. */
static void start(TestRobot *t, double angle, double rate)
{
	robot_make(t, 0);
	for (int i = 0; i < t->n_v && i < 3; i++) {
		t->q[i] = ratios[i] * angle;
		t->qdot[i] = ratios[i] * rate;
	}
	cr_assert_eq(abut_robot_set_state(t->robot, t->q, t->qdot, t->scene.state), ABUT_OK);
}

/* Inverts a step to the crank's `rate`, or to the rates of t, and writes the efforts of the motors. */
static AbutRobotInverse invert_to(TestRobot *t, AbutState *after, double *motors)
{
	AbutRobotInverse info;
	AbutError error = {.status = ABUT_OK};
	double effort[ROBOT_MOST];
	cr_assert_eq(abut_robot_advance(t->robot, t->scene.state, t->qdot, after), ABUT_OK);
	cr_assert_eq(abut_robot_inverse_motors(t->robot, t->scene.state, after, effort, motors, &info, &error), ABUT_OK,
	             "%s", error.message);
	cr_expect(info.found && info.exact);
	cr_expect_leq(info.residual, 1e-8, "%g", info.residual);
	cr_expect_leq(info.violation, 1e-12, "%g", info.violation);
	return info;
}

/* Any motors hold the parallelogram at rest: the virtual work of the weights is shared in the ratios of the turns. The
 * last hinge, or a ball in its place, closes the loop. */
Test(robot_loops, motors_share_the_weight_of_a_parallelogram)
{
	for (int mask = 1; mask < 32; mask++) {
		TestRobot t;
		AbutState *after;
		double motors[4 * ABUT_JOINT_FREEDOMS], square = 0.0;
		const bool ball = mask >= 16;
		const int own = mask % 16;
		if (own == 0) {
			continue;
		}
		four_bar_define(&t, false);
		t.scene.joints[3].type = ball ? ABUT_JOINT_BALL : ABUT_JOINT_HINGE;
		drive(&t, own);
		start(&t, 0.6, 0.0);
		cr_assert_eq(abut_robot_loop_count(t.robot), 1);
		cr_assert_eq(abut_state_create(t.scene.model, &after, NULL), ABUT_OK);
		const AbutRobotInverse info = invert_to(&t, after, motors);
		for (int i = 0; i < 4; i++) {
			square += own & 1 << i ? 1.0 : 0.0;
		}
		/* the torques of a ball about the two axes across those of the hinges only load the loop */
		const int across = ball && own & 8 ? 2 : 0;
		cr_expect_eq(info.internal, (int)square - 1 + across, "%d: %d", mask, info.internal);
		for (int i = 0; i < 4 * ABUT_JOINT_FREEDOMS; i++) {
			const int joint = i / ABUT_JOINT_FREEDOMS, axis = i % ABUT_JOINT_FREEDOMS;
			const bool there = own & 1 << joint && axis == (ball && joint == 3 ? 2 : 0);
			const double wanted = there ? -2.0 * g * sin(0.6) * ratios[joint] / square : 0.0;
			cr_expect_float_eq(motors[i], wanted, 1e-7, "%d, motor %d: %.9g, not %.9g", mask, i, motors[i],
			                   wanted);
		}
		abut_state_destroy(after);
		robot_end(&t);
	}
}

/* The efforts make the motion, whichever motors there are. */
Test(robot_loops, shared_efforts_make_the_motion)
{
	for (int mask = 1; mask < 16; mask++) {
		TestRobot t;
		AbutState *after;
		AbutStepInfo step = {.row = 0};
		double motors[4 * ABUT_JOINT_FREEDOMS];
		four_bar_define(&t, false);
		drive(&t, mask);
		start(&t, 0.6, 1.3);
		for (int i = 0; i < 3; i++) {
			t.qdot[i] = 1.7 * ratios[i];
		}
		cr_assert_eq(abut_state_create(t.scene.model, &after, NULL), ABUT_OK);
		invert_to(&t, after, motors);
		for (int i = 0; i < 4; i++) {
			if (mask & 1 << i) {
				cr_assert_eq(abut_state_set_motor(t.scene.model, t.scene.state, i, 0, motors[3 * i]),
				             ABUT_OK);
			}
		}
		cr_assert_eq(abut_step(t.scene.model, t.scene.state, t.scene.workspace, &step), ABUT_OK);
		cr_assert_eq(abut_robot_get_state(t.robot, t.scene.state, NULL, t.qdot), ABUT_OK);
		for (int i = 0; i < 3; i++) {
			cr_expect_float_eq(t.qdot[i], 1.7 * ratios[i], 1e-8, "%d: %.12g", mask, t.qdot[i]);
		}
		abut_state_destroy(after);
		robot_end(&t);
	}
}

/* A coupling holds the coupler level: two motors share the weight of the crank and of the coupler. */
Test(robot_loops, motors_share_across_couplings)
{
	for (int mask = 1; mask < 4; mask++) {
		TestRobot t;
		AbutState *after;
		double motors[2 * ABUT_JOINT_FREEDOMS];
		const double share = mask == 3 ? 0.5 : 1.0;
		four_bar_define(&t, true);
		drive(&t, mask);
		start(&t, 0.6, 0.0);
		memset(t.qdot, 0, sizeof t.qdot);
		t.qdot[abut_robot_base_velocity(t.robot, 2) + 2] = -g * t.scene.def.timestep; /* falls */
		cr_assert_eq(abut_robot_set_state(t.robot, t.q, (const double[8]){0.0}, t.scene.state), ABUT_OK);
		cr_assert_eq(abut_state_create(t.scene.model, &after, NULL), ABUT_OK);
		const AbutRobotInverse info = invert_to(&t, after, motors);
		cr_expect_eq(info.internal, mask == 3 ? 1 : 0);
		for (int i = 0; i < 2; i++) {
			const double wanted = mask & 1 << i ? -1.5 * g * sin(0.6) * ratios[i] * share : 0.0;
			cr_expect_float_eq(motors[ABUT_JOINT_FREEDOMS * i], wanted, 1e-7, "%d: %.9g, not %.9g", mask,
			                   motors[ABUT_JOINT_FREEDOMS * i], wanted);
		}
		abut_state_destroy(after);
		robot_end(&t);
	}
}

/* A motion that opens the loop is reported by how far it does. */
Test(robot_loops, motions_that_open_the_loop_are_reported)
{
	TestRobot t;
	AbutState *after;
	AbutRobotInverse info;
	double effort[ROBOT_MOST];
	four_bar_define(&t, false);
	drive(&t, 1);
	start(&t, 0.0, 0.0);
	cr_assert_eq(abut_state_create(t.scene.model, &after, NULL), ABUT_OK);
	t.qdot[0] = t.qdot[1] = 0.0;
	t.qdot[2] = 1.0; /* the second crank leaves its pivot */
	cr_assert_eq(abut_robot_advance(t.robot, t.scene.state, t.qdot, after), ABUT_OK);
	cr_assert_eq(abut_robot_inverse(t.robot, t.scene.state, after, effort, &info, NULL), ABUT_OK);
	cr_expect_float_eq(info.violation, sin(t.scene.def.timestep), 1e-6, "%g", info.violation);
	cr_expect(abut_all_finite(effort, t.n_v));
	abut_state_destroy(after);
	robot_end(&t);
}

/* A motion beyond the limits of the hinge that closes the loop is refused if its motor holds the rate. That hinge turns
 * with the crank. */
Test(robot_loops, motions_beyond_limits_of_the_closing_joint_are_refused)
{
	for (int i = 0; i < 4; i++) {
		TestRobot t;
		AbutState *after;
		AbutError error = {.status = ABUT_OK};
		double effort[ROBOT_MOST], motors[4 * ABUT_JOINT_FREEDOMS];
		const double way = i % 2 ? -1.0 : 1.0;
		char name[64], message[160];
		four_bar_define(&t, false);
		t.scene.joints[3].type = i < 2 ? ABUT_JOINT_HINGE : ABUT_JOINT_CYLINDRICAL;
		drive(&t, 1);
		AbutJointAxis *axis = &t.scene.joints[3].axes[i / 2];
		axis->has_limits = true;
		axis->lower = -0.61;
		axis->upper = 0.61;
		axis->motor.type = ABUT_MOTOR_FORCE;
		start(&t, way * 0.6, way * 0.9);
		snprintf(name, sizeof name, "%s%s", t.scene.joints[3].name, i < 2 ? "" : ".1");
		cr_assert_eq(abut_state_create(t.scene.model, &after, NULL), ABUT_OK);
		for (int k = 0; k < 3; k++) {
			t.qdot[k] = 0.9 * way * ratios[k];
		}
		invert_to(&t, after, motors); /* to 0.609 */
		for (int k = 0; k < 3; k++) {
			t.qdot[k] = 1.7 * way * ratios[k];
		}
		cr_assert_eq(abut_robot_advance(t.robot, t.scene.state, t.qdot, after), ABUT_OK);
		cr_expect_eq(abut_robot_inverse(t.robot, t.scene.state, after, effort, NULL, &error),
		             ABUT_ERROR_ARGUMENT);
		snprintf(message, sizeof message, "takes %s to %g, beyond its limits -0.61 and 0.61", name,
		         way * 0.617);
		cr_expect(strstr(error.message, message), "'%s' does not contain '%s'", error.message, message);
		abut_state_destroy(after);
		robot_end(&t);
	}
}

/* Whichever allocation of the first call fails, it says so, and the next one works. */
Test(robot_loops, motions_without_memory_are_refused)
{
	TestRobot t;
	AbutState *after;
	AbutStatus status = ABUT_ERROR_MEMORY;
	AbutError error;
	double effort[ROBOT_MOST];
	four_bar_define(&t, false);
	drive(&t, 15);
	start(&t, 0.6, 0.0);
	cr_assert_eq(abut_state_create(t.scene.model, &after, NULL), ABUT_OK);
	cr_assert_eq(abut_robot_advance(t.robot, t.scene.state, t.qdot, after), ABUT_OK);
	for (long i = 1; status == ABUT_ERROR_MEMORY; i++) {
		cr_assert_leq(i, 100);
		watch_begin(i);
		status = abut_robot_inverse(t.robot, t.scene.state, after, effort, NULL, &error);
		watch_end();
		cr_expect(status == ABUT_OK || strstr(error.message, "3 velocities and 6 conditions"), "%s",
		          error.message);
	}
	cr_expect_eq(status, ABUT_OK);
	watch_begin(0);
	cr_expect_eq(abut_robot_inverse(t.robot, t.scene.state, after, effort, NULL, &error), ABUT_OK);
	watch_end();
	cr_expect_eq(watch.calls, 0, "%ld allocations", watch.calls);
	abut_state_destroy(after);
	robot_end(&t);
}

/* --- limits --- */

enum { HINGES = 7 };

/* Weights on hinges along y, some of them coupled, at rest and some at a limit. */
typedef struct Weights {
	int root[HINGES];      /* hinge to which it is coupled, through others; itself if to none */
	double ratio[HINGES];  /* to the root's angle */
	double moment[HINGES]; /* of the weight, about y */
	int at[HINGES];        /* 1: at the lower limit, -1: at the upper one */
	bool driven[HINGES];
} Weights;

static void weights_define(TestRobot *t, Weights *w, unsigned seed)
{
	static const double half[3] = {0.4, 0.05, 0.4}, y[3] = {0.0, 1.0, 0.0};
	AbutRng rng = {seed + 5};
	joint_scene_begin(&t->scene, 0.01);
	for (int i = 0; i < HINGES; i++) {
		const double x = abut_rng_uniform(&rng, -1.0, 1.0), mass = abut_rng_uniform(&rng, 0.5, 2.0);
		joint_scene_box(&t->scene, half, mass, (double[3]){x, 3.0 * i, 0.2});
		AbutJointDef *joint = joint_scene_joint(&t->scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, i,
		                                        (double[3]){0.0, 3.0 * i, 0.0}, y);
		const int to =
		    i == 0 || abut_rng_uniform(&rng, 0.0, 1.0) < 0.2 ? i : (int)abut_rng_uniform(&rng, 0.0, i);
		const double ratio = to == i ? 1.0 : abut_rng_uniform(&rng, 0.5, 2.0) * (i % 2 ? 1.0 : -1.0);
		w->moment[i] = x * mass * g;
		w->root[i] = to == i ? i : w->root[to];
		w->ratio[i] = to == i ? 1.0 : ratio * w->ratio[to];
		w->driven[i] = to == i || abut_rng_uniform(&rng, 0.0, 1.0) < 0.3;
		w->at[i] = (int)abut_rng_uniform(&rng, -1.5, 2.5) % 2;
		joint->axes[0].motor.type = w->driven[i] ? ABUT_MOTOR_FORCE : ABUT_MOTOR_NONE;
		joint->axes[0].has_limits = w->at[i] != 0;
		joint->axes[0].lower = w->at[i] > 0 ? 0.0 : -1.0;
		joint->axes[0].upper = w->at[i] > 0 ? 1.0 : 0.0;
		if (to != i) {
			joint_scene_couple(&t->scene, i, to, ratio);
		}
	}
}

/* Coupled hinges turn by r_i of one angle, so efforts u and impulses of limits L balance the weights if sum r_i (w_i +
 * u_i + L_i) = 0. A limit of a hinge without a motor that can push the right way takes all; otherwise the least motors
 * are those in the ratios. */
Test(robot_loops, limits_and_couplings_take_what_they_can)
{
	int relieved = 0, loaded = 0;
	for (unsigned seed = 0; seed < 60; seed++) {
		TestRobot t;
		Weights w;
		AbutState *after;
		AbutStepInfo step = {.row = 0};
		double motors[HINGES * ABUT_JOINT_FREEDOMS];
		weights_define(&t, &w, seed);
		robot_make(&t, 0);
		memset(t.q, 0, sizeof t.q);
		memset(t.qdot, 0, sizeof t.qdot);
		cr_assert_eq(abut_robot_set_state(t.robot, t.q, t.qdot, t.scene.state), ABUT_OK);
		cr_assert_eq(abut_state_create(t.scene.model, &after, NULL), ABUT_OK);
		invert_to(&t, after, motors);
		for (int i = 0; i < HINGES; i++) {
			double sum = 0.0, squares = 0.0;
			bool relief = false;
			for (int k = 0; k < HINGES; k++) {
				sum += w.root[k] == w.root[i] ? w.ratio[k] * w.moment[k] : 0.0;
			}
			for (int k = 0; k < HINGES; k++) {
				const bool ours = w.root[k] == w.root[i];
				squares += ours && w.driven[k] ? w.ratio[k] * w.ratio[k] : 0.0;
				relief = relief || (ours && !w.driven[k] && w.at[k] * w.ratio[k] * sum < 0.0);
			}
			const double wanted = w.driven[i] && !relief ? -sum * w.ratio[i] / squares : 0.0;
			cr_expect_float_eq(motors[ABUT_JOINT_FREEDOMS * i], wanted, 1e-7,
			                   "%u, motor %d: %.9g, not %.9g", seed, i, motors[ABUT_JOINT_FREEDOMS * i],
			                   wanted);
			relieved += w.driven[i] && relief;
			loaded += w.driven[i] && !relief;
			if (w.driven[i]) {
				cr_assert_eq(abut_state_set_motor(t.scene.model, t.scene.state, i, 0,
				                                  motors[ABUT_JOINT_FREEDOMS * i]),
				             ABUT_OK);
			}
		}
		cr_assert_eq(abut_step(t.scene.model, t.scene.state, t.scene.workspace, &step), ABUT_OK);
		cr_assert_eq(abut_robot_get_state(t.robot, t.scene.state, NULL, t.qdot), ABUT_OK);
		cr_expect_leq(robot_largest(t.qdot, t.n_v), 1e-8, "%u: %g", seed, robot_largest(t.qdot, t.n_v));
		abut_state_destroy(after);
		robot_end(&t);
	}
	cr_expect(relieved > 40 && loaded > 40, "%d motors are relieved, %d are not", relieved, loaded);
}

/* A limit of a hinge without a motor, also of the one that closes the loop, carries the weight of the parallelogram if
 * it pushes against it. */
Test(robot_loops, limits_carry_the_weight_of_a_parallelogram)
{
	for (int i = 0; i < 16 * 4 * 4; i++) {
		const int mask = i % 16, limited = i / 16 % 4;
		const double push = i / 64 % 2 ? 1.0 : -1.0, down = i / 128 ? 1.0 : -1.0, at = -0.6 * push;
		const double angle = at * ratios[limited];
		TestRobot t;
		AbutState *after;
		double motors[4 * ABUT_JOINT_FREEDOMS], square = 0.0;
		if (mask == 0 || mask & 1 << limited) {
			continue;
		}
		four_bar_define(&t, false);
		AbutJointAxis *axis = &t.scene.joints[limited].axes[0];
		axis->has_limits = true;
		axis->lower = push > 0.0 ? at : -2.0;
		axis->upper = push > 0.0 ? 2.0 : at;
		t.scene.def.gravity[2] = -down * g;
		drive(&t, mask);
		start(&t, angle, 0.0);
		cr_assert_eq(abut_state_create(t.scene.model, &after, NULL), ABUT_OK);
		invert_to(&t, after, motors);
		for (int k = 0; k < 4; k++) {
			square += mask & 1 << k ? 1.0 : 0.0;
		}
		const bool carries = down > 0.0;
		for (int k = 0; k < 4; k++) {
			const double wanted =
			    carries || !(mask & 1 << k) ? 0.0 : -2.0 * down * g * sin(angle) * ratios[k] / square;
			cr_expect_float_eq(motors[ABUT_JOINT_FREEDOMS * k], wanted, 1e-7,
			                   "%d, limit %d, motor %d: %.9g, not %.9g", mask, limited, k,
			                   motors[ABUT_JOINT_FREEDOMS * k], wanted);
		}
		abut_state_destroy(after);
		robot_end(&t);
	}
}
