/* Computes the difference of two sets of coordinates: the inverse of abut_robot_integrate. Tested in
 * tests/dynamics/robot/test_robot_state.c. */
#include <math.h>

#include "base/error.h"
#include "base/rotation.h"
#include "base/vec3.h"
#include "dynamics/robot/robot.h"
#include "dynamics/robot/values.h"

/* Computes the displacement of a base's centre of mass, and its turn as the vector part of a quaternion, times 2. */
static bool subtract_base(const double com[3], const double *from, const double *to, double *out)
{
	double R[9], before[3], after[3], back[4] = {from[3], -from[4], -from[5], -from[6]}, turn[4];
	abut_quat_to_mat3(&from[3], R);
	abut_mat3_vec(R, com, before);
	abut_quat_to_mat3(&to[3], R);
	abut_mat3_vec(R, com, after);
	abut_quat_mul(back, &to[3], turn);
	abut_quat_normalise(turn);
	for (int k = 0; k < 3; k++) {
		out[k] = to[k] + after[k] - from[k] - before[k];
		out[3 + k] = (turn[0] < 0.0 ? -2.0 : 2.0) * turn[1 + k];
	}
	return turn[0] != 0.0;
}

static bool subtract_planar(const AbutBody *body, const double *from, const double *to, double *out)
{
	double R[9], own[3];
	abut_quat_to_mat3(body->initial.orientation, R);
	abut_mat3_vec(R, body->centre_of_mass, own);
	for (int k = 0; k < 2; k++) {
		out[k] = to[k] - from[k];
	}
	out[0] += (cos(to[2]) - cos(from[2])) * own[0] + (sin(to[2]) - sin(from[2])) * own[2];
	out[1] += (cos(to[2]) - cos(from[2])) * own[2] - (sin(to[2]) - sin(from[2])) * own[0];
	out[2] = 2.0 * sin(0.5 * (to[2] - from[2]));
	return fabs(to[2] - from[2]) < M_PI;
}

/* Computes the sine of a ball's turn, along its axis. */
static bool subtract_ball(const double *from, const double *to, double *out)
{
	double before[9], after[9], turn[9];
	abut_rotation_to_mat3(from, before);
	abut_rotation_to_mat3(to, after);
	abut_mat3_transposed_mul(before, after, turn);
	out[0] = 0.5 * (turn[7] - turn[5]);
	out[1] = 0.5 * (turn[2] - turn[6]);
	out[2] = 0.5 * (turn[3] - turn[1]);
	return turn[0] + turn[4] + turn[8] > 1.0;
}

static bool subtract(const AbutRobot *robot, const AbutLink *link, const double *from, const double *to, double *out)
{
	const AbutBody *body = &robot->model->bodies[link->body];
	if (link->joint < 0) {
		return link->n_v == ABUT_ROBOT_PLANAR ? subtract_planar(body, from, to, out)
		                                      : subtract_base(body->centre_of_mass, from, to, out);
	}
	if (robot->model->joints.at[link->joint].type == ABUT_JOINT_BALL) {
		return subtract_ball(from, to, out);
	}
	for (int k = 0; k < link->n_v; k++) {
		out[k] = to[k] - from[k];
	}
	return true;
}

AbutStatus abut_robot_difference(AbutRobot *robot, const double *from, const double *to, double *out)
{
	if (!robot) {
		return ABUT_ERROR_ARGUMENT;
	}
	ABUT_TRY(abut_robot_check_q(robot, from));
	ABUT_TRY(abut_robot_check_q(robot, to));
	ABUT_TRY(abut_robot_check_given(robot, "out", out));
	for (int i = 0; i < robot->n_links; i++) {
		const AbutLink *link = &robot->links[i];
		if (!subtract(robot, link, &from[link->q], &to[link->q], &out[link->v])) {
			return abut_error_set(&robot->error, ABUT_ERROR_ARGUMENT, "to",
			                      "%s '%s' is turned by %s or more", link->joint < 0 ? "base" : "ball",
			                      abut_robot_link_name(robot, link), link->joint < 0 ? "pi" : "pi / 2");
		}
	}
	return ABUT_OK;
}
