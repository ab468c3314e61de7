/* Balances of links. Impulses are in model units, efforts in SI. */
#pragma once

#include "dynamics/island/problem.h"
#include "dynamics/robot/robot.h"

/* Balances the links of an island, from the outermost inwards: computes the efforts of the tree's joints and bases that
 * make up for what the balances of the bodies lack (robot->balance, which is overwritten), into `effort` (n_v). If
 * `keep`, adds the impulses to those of the joints (robot->works). */
void abut_robot_balance(const AbutRobot *robot, const AbutContactProblem *problem, bool keep, double *effort);

/* Subtracts the impulse times a row of a joint from what its bodies lack. */
void abut_robot_push(const AbutRobot *robot, const AbutJointWork *work, int row, double impulse);

/* Returns the effort of a unit impulse on freedom `axis` of a joint in a step. */
double abut_robot_effort_unit(const AbutModel *model, const AbutJoint *joint, int axis);
