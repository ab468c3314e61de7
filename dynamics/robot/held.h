/* Finds the forces that a motion alone leaves open, by a step with held rates. */
#pragma once

#include "dynamics/robot/robot.h"

/* Returns whether a freedom of a joint has a motor. */
bool abut_joint_has_motor(const AbutJoint *joint, int axis);

/* Returns whether the step holds the rate of a freedom: that of a driven freedom of the tree, or of a motor on a joint
 * that closes a loop. */
bool abut_held_holds(const AbutRobot *robot, int joint, int axis);

/* Creates the model whose motors hold rates, its state, and the workspaces of the robot. */
AbutStatus abut_held_create(AbutRobot *robot, AbutError *error);
void abut_held_destroy(AbutRobot *robot);

/* Steps from `before` with the rates that lead the driven freedoms to `after`. The state at the end is then that of the
 * robot's held model. */
AbutStatus abut_held_step(AbutRobot *robot, const AbutState *before, const AbutState *after, AbutError *error);
