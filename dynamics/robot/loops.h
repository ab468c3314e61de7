/* Loops and couplings as conditions on the coordinates of the tree. */
#pragma once

#include "dynamics/robot/robot.h"

/* Computes the values and derivatives of all conditions at the poses and coordinates of the robot, into its room for
 * inverse kinematics. Returns the largest value, m or rad. */
double abut_robot_loops(const AbutRobot *robot, const double *q);
