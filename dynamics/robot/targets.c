/* Inverse kinematics from one start or several: checks the targets, draws starts, and explains what is missed. Tested
 * in tests/dynamics/robot/test_robot_reach.c. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/rotation.h"
#include "base/vec3.h"
#include "dynamics/robot/loops.h"
#include "dynamics/robot/pose.h"
#include "dynamics/robot/reach.h"
#include "dynamics/robot/reach_room.h"
#include "dynamics/robot/values.h"

AbutRobotTarget abut_robot_target_default(void)
{
	return (AbutRobotTarget){.frame.orientation = {1.0}, .place = true, .orientation = {1.0}};
}

/* --- checks --- */

/* Returns what a target is called in messages. */
static const char *name_of(const AbutRobot *robot, const AbutRobotTarget *target)
{
	return target->name ? target->name : robot->model->bodies[target->body].name;
}

/* Writes the numbers of a position or quaternion for a message. */
static AbutStatus refuse(const AbutRobot *robot, const AbutRobotTarget *target, int i, const char *what,
                         const double *values, AbutError *error)
{
	const bool turn = values == target->orientation || values == target->frame.orientation;
	return turn ? abut_error_set(error, ABUT_ERROR_ARGUMENT, "targets",
	                             "%s of target %d (%s) is (%g, %g, %g, %g); it must be a unit quaternion, to 1e-6",
	                             what, i, name_of(robot, target), values[0], values[1], values[2], values[3])
	            : abut_error_set(error, ABUT_ERROR_ARGUMENT, "targets",
	                             "%s of target %d (%s) is (%g, %g, %g) m; it must be finite", what, i,
	                             name_of(robot, target), values[0], values[1], values[2]);
}

static AbutStatus check_target(const AbutRobot *robot, const AbutRobotTarget *target, int i, AbutError *error)
{
	if (target->body < 0 || target->body >= robot->model->n_bodies) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "targets",
		                      "body %d of target %d does not exist; the model has %d bodies", target->body, i,
		                      robot->model->n_bodies);
	}
	if (robot->model->bodies[target->body].is_static) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, "targets",
		    "target %d (%s) is on body '%s', which is static; a target must be on a body that can "
		    "move",
		    i, name_of(robot, target), robot->model->bodies[target->body].name);
	}
	if (!target->place && !target->turn) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "targets",
		                      "target %d (%s) asks for nothing; set place, turn or both", i,
		                      name_of(robot, target));
	}
	if (!abut_all_finite(target->frame.position, 3)) {
		return refuse(robot, target, i, "frame.position", target->frame.position, error);
	}
	if (target->place && !abut_all_finite(target->position, 3)) {
		return refuse(robot, target, i, "position", target->position, error);
	}
	if (!abut_robot_is_unit(target->frame.orientation)) {
		return refuse(robot, target, i, "frame.orientation", target->frame.orientation, error);
	}
	return target->turn && !abut_robot_is_unit(target->orientation)
	           ? refuse(robot, target, i, "orientation", target->orientation, error)
	           : ABUT_OK;
}

static AbutStatus check(AbutRobot *robot, int n, const AbutRobotTarget *targets, const double *q, AbutError *error)
{
	if (!robot) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "robot", "must not be NULL");
	}
	if (abut_robot_check_q(robot, q) != ABUT_OK) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, robot->error.where, "%s", robot->error.message);
	}
	for (int i = 0; i < n; i++) {
		ABUT_TRY(check_target(robot, &targets[i], i, error));
	}
	return abut_reach_room_reserve(robot, error);
}

static AbutStatus check_count(int n, const AbutRobotTarget *targets, AbutError *error)
{
	return n >= 1 && n <= ABUT_ROBOT_TARGETS_MAX && targets
	           ? ABUT_OK
	           : abut_error_set(error, ABUT_ERROR_ARGUMENT, "targets", "there are %d targets; 1 to %d are allowed",
	                            targets ? n : 0, (int)ABUT_ROBOT_TARGETS_MAX);
}

/* --- the end --- */

static bool is_reached(const AbutRobotReach *info)
{
	return info->violation <= abut_reach_closed && info->error_m <= abut_reach_reached &&
	       info->error_rad <= abut_reach_reached;
}

static AbutStatus judge_loops(const AbutRobotReach *info, AbutError *error)
{
	return info->violation <= abut_reach_closed
	           ? ABUT_OK
	           : abut_error_set(error, ABUT_ERROR_NUMERICAL, "q",
	                            "loops or couplings stay open by %.3g m or rad; start nearer to a closed pose",
	                            info->violation);
}

/* Explains what is missed. */
static AbutStatus judge(const AbutRobot *robot, const AbutRobotTarget *targets, const AbutRobotReach *info, int starts,
                        AbutError *error)
{
	ABUT_TRY(judge_loops(info, error));
	return is_reached(info)
	           ? ABUT_OK
	           : abut_error_set(error, ABUT_ERROR_NUMERICAL, "targets",
	                            "the targets are not reached: the nearest pose found from %d start%s misses "
	                            "them by %.3g m and %.3g rad, and target %d (%s) most",
	                            starts, starts > 1 ? "s" : "", info->error_m, info->error_rad, info->worst,
	                            name_of(robot, &targets[info->worst]));
}

/* --- starts --- */

/* Returns a random coordinate within the limits; where they are absent or very wide, within half a revolution or the
 * size of the model around the hint. */
static double draw(const AbutJoint *joint, int axis, double hint, double length, AbutRng *rng)
{
	const AbutJointAxis *acting = &joint->acting[axis];
	const double size = abut_joint_turns(abut_joint_coordinates(joint), axis) ? M_PI : length;
	if (acting->has_limits && acting->upper - acting->lower <= 100.0 * size) {
		return abut_rng_uniform(rng, acting->lower, acting->upper);
	}
	return hint + abut_rng_uniform(rng, -size, size); /* the solve enters the limits first */
}

/* Draws the coordinates of the joints into q; bases stay where the hint has them. */
static void draw_all(const AbutRobot *robot, const double *hint, AbutRng *rng, double *q)
{
	memcpy(q, hint, (size_t)robot->n_q * sizeof *q);
	for (int i = 0; i < robot->n_links; i++) {
		const AbutLink *link = &robot->links[i];
		const AbutJoint *joint = link->joint >= 0 ? &robot->model->joints.at[link->joint] : NULL;
		if (joint && joint->type == ABUT_JOINT_BALL) {
			double turn[4], R[9];
			abut_rng_rotation(rng, turn);
			abut_quat_to_mat3(turn, R);
			abut_mat3_to_rotation(R, &q[link->q]);
			continue;
		}
		for (int k = 0; joint && k < link->n_q; k++) {
			q[link->q + k] = draw(joint, k, hint[link->q + k], robot->model->units.length, rng);
		}
	}
}

/* Returns whether a result is better than another: closed loops first, then nearer to the targets. */
static bool is_better(const AbutRobotReach *a, const AbutRobotReach *b)
{
	const bool closed = a->violation <= abut_reach_closed, other = b->violation <= abut_reach_closed;
	return closed != other ? closed : a->error_m + a->error_rad < b->error_m + b->error_rad;
}

AbutStatus abut_robot_search(AbutRobot *robot, int n, const AbutRobotTarget *targets, int starts, int seed, double *q,
                             AbutRobotReach *info, AbutError *error)
{
	AbutRobotReach best = {.start = -1};
	ABUT_TRY(check_count(n, targets, error));
	ABUT_TRY(check(robot, n, targets, q, error));
	if (starts < 1) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "starts", "is %d; at least 1 is needed", starts);
	}
	const size_t size = (size_t)robot->n_q * sizeof *q;
	double *const hint = robot->work[1], *const trial = robot->work[2];
	memcpy(hint, q, size);
	for (int i = 0; i < starts && !(best.start >= 0 && is_reached(&best)); i++) {
		AbutRobotReach own = {.start = -1};
		AbutRng rng = abut_rng_stream((uint64_t)seed, (uint64_t)i);
		memcpy(trial, hint, size);
		if (i > 0) {
			draw_all(robot, hint, &rng, trial);
		}
		abut_reach_solve(robot, n, targets, trial, &own);
		own.start = i;
		if (best.start < 0 || is_better(&own, &best)) {
			best = own;
			memcpy(q, trial, size);
		}
	}
	if (info) {
		*info = best;
	}
	return judge(robot, targets, &best, starts, error);
}

AbutStatus abut_robot_reach(AbutRobot *robot, int n, const AbutRobotTarget *targets, double *q, AbutRobotReach *info,
                            AbutError *error)
{
	return abut_robot_search(robot, n, targets, 1, 0, q, info, error);
}

AbutStatus abut_robot_violation(AbutRobot *robot, const double *q, double *violation, AbutError *error)
{
	if (!violation) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "violation", "must not be NULL");
	}
	ABUT_TRY(check(robot, 0, NULL, q, error));
	abut_robot_place(robot, q);
	*violation = abut_robot_loops(robot, q);
	return ABUT_OK;
}

AbutStatus abut_robot_close(AbutRobot *robot, double *q, AbutRobotReach *info, AbutError *error)
{
	AbutRobotReach own;
	ABUT_TRY(check(robot, 0, NULL, q, error));
	abut_reach_solve(robot, 0, NULL, q, &own);
	if (info) {
		*info = own;
	}
	return judge_loops(&own, error);
}
