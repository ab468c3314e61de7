/* Jacobians of points. */
#pragma once

#include "dynamics/robot/robot.h"

/* Computes the Jacobian of a body at a point in the world, 6 x n_v, linear velocity first. */
void abut_robot_point_jacobian(const AbutRobot *robot, int body, const double point[3], double *J);
