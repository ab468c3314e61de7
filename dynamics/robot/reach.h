/* Solves inverse kinematics from one start. */
#pragma once

#include "dynamics/robot/robot.h"

/* m and rad: errors of reached targets, and of closed loops. */
static const double abut_reach_reached = 1e-9, abut_reach_closed = 1e-10;

/* Moves q until the frames are at their n targets, with loops closed, or as near as it finds. The targets are checked,
 * and the memory is reserved (reach_room.h). */
void abut_reach_solve(AbutRobot *robot, int n, const AbutRobotTarget *targets, double *q, AbutRobotReach *info);
