/* The memory of inverse kinematics, which grows with the square of the number of velocities. */
#pragma once

#include "dynamics/robot/robot.h"

/* Allocates the robot's memory for inverse kinematics, unless it has it. */
AbutStatus abut_reach_room_reserve(AbutRobot *robot, AbutError *error);
void abut_reach_room_release(AbutReachRoom *room);
