/* A joint's unknowns between steps: its starts, and what it keeps of a solution. */
#pragma once

#include "dynamics/joint/joint.h"

/* Sets the joint's y and z from its last solution, as forces; without one, as abut_joint_start_cold. */
void abut_joint_start_warm(const AbutJointWork *work, double timestep, double *y, double *z);
/* Sets the joint's y to zero impulses, and z to the identity of its cones. */
void abut_joint_start_cold(const AbutJointWork *work, double *y, double *z);
/* Sets psi of the joint's free-head cones, in the island's y, to the heads of its slacks in the island's s. */
void abut_joint_heads(const AbutJointWork *work, const double *s, double *y);
/* Returns twice the largest work of the joint's efforts in the step: springs, motors, and rotors. */
double abut_joint_work(const AbutJointWork *work);
/* Keeps the solution y, z of the joint in its memory, and adds what the step did. */
void abut_joint_keep(AbutJointWork *work, double timestep, const double *y, const double *z);
