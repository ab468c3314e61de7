/* Coordinates of the tree, and their rates. */
#pragma once

#include "dynamics/robot/robot.h"

/* Computes the rates of a joint from poses and past poses, a `timestep` (s) before: differences of its coordinates, and
 * spins of a ball. */
void abut_robot_joint_rates(AbutRobot *robot, const AbutJoint *joint, double timestep,
                            double rate[ABUT_JOINT_FREEDOMS]);
/* Reads the coordinates of a joint from poses, with the turns that are nearest to `position`. */
void abut_robot_joint_read(const AbutRobot *robot, const AbutJoint *joint, const double *position, double *q);
