/* Completes the imported Atlas: feet, floor, motors. */
#pragma once

#include "experiments/robots/models.h"

/* Gains of the motors of all joints. */
static const double abut_atlas_stiffness = 1e4, abut_atlas_damping = 500.0; /* N m/rad, N m s/rad */
/* Height from which the feet fall. */
static const double abut_atlas_drop = 0.1; /* m */

/* Gives both feet the contact points of Dojo's Atlas, four balls each, adds a floor, and makes all motors servos that
 * hold the pose of the file. Raises the robot above the floor. */
AbutStatus abut_atlas_complete(AbutRobotModel *robot, AbutError *error);
