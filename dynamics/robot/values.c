/* Checks coordinates and rates of the joint space, and reads the limits of its coordinates. Tested in
 * tests/dynamics/robot/test_robot_values.c. */
#include "dynamics/robot/values.h"

#include <math.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/state/state.h"

AbutStatus abut_robot_check_given(AbutRobot *robot, const char *name, const void *argument)
{
	return argument ? ABUT_OK : abut_error_set(&robot->error, ABUT_ERROR_ARGUMENT, name, "must not be NULL");
}

AbutStatus abut_robot_check_state(AbutRobot *robot, const char *name, const AbutState *state)
{
	ABUT_TRY(abut_robot_check_given(robot, name, state));
	return state->model == robot->model ? ABUT_OK
	                                    : abut_error_set(&robot->error, ABUT_ERROR_ARGUMENT, name,
	                                                     "is a state of another model than the robot's");
}

static double length_of(const double q[4])
{
	return sqrt(q[0] * q[0] + abut_dot3(&q[1], &q[1]));
}

bool abut_robot_is_unit(const double q[4])
{
	return fabs(length_of(q) - 1.0) <= 1e-6;
}

AbutStatus abut_robot_check_q(AbutRobot *robot, const double *q)
{
	ABUT_TRY(abut_robot_check_given(robot, "q", q));
	for (int i = 0; i < robot->n_q; i++) {
		if (!isfinite(q[i])) {
			return abut_error_set(&robot->error, ABUT_ERROR_ARGUMENT, "q",
			                      "entry %d (%s) is %g; it must be finite", i, robot->names[i], q[i]);
		}
	}
	for (int i = 0; i < robot->n_links; i++) {
		const AbutLink *link = &robot->links[i];
		if (link->n_q > ABUT_ROBOT_BASE && !abut_robot_is_unit(&q[link->q + 3])) {
			return abut_error_set(&robot->error, ABUT_ERROR_ARGUMENT, "q",
			                      "the quaternion of base '%s' has the length %.9g; it must be 1 to 1e-6",
			                      robot->model->bodies[link->body].name, length_of(&q[link->q + 3]));
		}
	}
	return ABUT_OK;
}

AbutStatus abut_robot_check_rates(AbutRobot *robot, const char *name, const double *rates)
{
	ABUT_TRY(abut_robot_check_given(robot, name, rates));
	for (int i = 0; i < robot->n_v; i++) {
		if (!isfinite(rates[i])) {
			return abut_error_set(&robot->error, ABUT_ERROR_ARGUMENT, name,
			                      "entry %d (%s) is %g; it must be finite", i, robot->names[robot->n_q + i],
			                      rates[i]);
		}
	}
	return ABUT_OK;
}

AbutStatus abut_robot_check_turns(AbutRobot *robot, const double *qdot)
{
	const double dt = robot->model->timestep_si;
	for (int v = 0; v < robot->n_v; v++) {
		const AbutLink *link = &robot->links[robot->link_of_v[v]];
		const AbutJoint *joint = link->joint >= 0 ? &robot->model->joints.at[link->joint] : NULL;
		if (joint && abut_joint_turns(abut_joint_coordinates(joint), v - link->v) &&
		    fabs(qdot[v]) * dt >= M_PI) {
			return abut_error_set(
			    &robot->error, ABUT_ERROR_ARGUMENT, "qdot",
			    "%s turns at %g rad/s, by %g rad in a step of %g s; less than pi is allowed",
			    robot->names[robot->n_q + v], qdot[v], fabs(qdot[v]) * dt, dt);
		}
	}
	return ABUT_OK;
}

AbutStatus abut_robot_limits(const AbutRobot *robot, double *lower, double *upper)
{
	if (!robot || !lower || !upper) {
		return ABUT_ERROR_ARGUMENT;
	}
	for (int i = 0; i < robot->n_q; i++) {
		lower[i] = -(double)INFINITY;
		upper[i] = (double)INFINITY;
	}
	for (int i = 0; i < robot->n_links; i++) {
		const AbutLink *link = &robot->links[i];
		const AbutJoint *joint = link->joint >= 0 ? &robot->model->joints.at[link->joint] : NULL;
		for (int k = 0; joint && joint->type != ABUT_JOINT_BALL && k < link->n_q; k++) {
			if (joint->acting[k].has_limits) {
				lower[link->q + k] = joint->acting[k].lower;
				upper[link->q + k] = joint->acting[k].upper;
			}
		}
	}
	return ABUT_OK;
}

const AbutError *abut_robot_error(const AbutRobot *robot)
{
	return robot ? &robot->error : NULL;
}
