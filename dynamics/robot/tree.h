/* Finds the tree of a model's joints. */
#pragma once

#include "dynamics/robot/robot.h"

/* Sets the links of a robot whose arrays of links are allocated, and the numbers of its coordinates. Returns
 * ABUT_ERROR_MEMORY if memory runs out. */
AbutStatus abut_robot_find_tree(AbutRobot *robot);
