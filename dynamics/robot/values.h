/* Coordinates and rates as input: what is possible, and limits. A refused value is explained in robot->error. */
#pragma once

#include "dynamics/robot/robot.h"

/* Returns whether the length of a quaternion is 1, to 1e-6. */
bool abut_robot_is_unit(const double q[4]);
/* Refuses q unless it is finite, with unit quaternions. */
AbutStatus abut_robot_check_q(AbutRobot *robot, const double *q);
/* Refuses rates or accelerations that are not finite; `name` is that of the argument. */
AbutStatus abut_robot_check_rates(AbutRobot *robot, const char *name, const double *rates);
/* Refuses a missing argument, or a state of another model. */
AbutStatus abut_robot_check_given(AbutRobot *robot, const char *name, const void *argument);
AbutStatus abut_robot_check_state(AbutRobot *robot, const char *name, const AbutState *state);
/* Refuses rates at which a joint turns by half a revolution or more in a step. */
AbutStatus abut_robot_check_turns(AbutRobot *robot, const double *qdot);
