/* Starts a joint's unknowns from its last solution, and keeps what the next step needs of a new one. */
#pragma once

#include "dynamics/joint/joint.h"

/* Sets the joint's y and z from the forces of its last solution. Without one, starts cold. */
void abut_joint_start_warm(const AbutJointWork *work, double timestep, double *y, double *z);
/* Sets the joint's y to zero impulses, and z to the identity of its cones. */
void abut_joint_start_cold(const AbutJointWork *work, double *y, double *z);
/* Sets psi of the joint's free-head cones, in the island's y, to the heads of its slacks in the island's s. */
void abut_joint_heads(const AbutJointWork *work, const double *s, double *y);
/* Returns twice the largest work of the joint's efforts in the step: springs, motors, and rotors. */
double abut_joint_work(const AbutJointWork *work);
/* Adds the impulses of all rows on the child to `load`: force, then moment about the child's centre of mass, in the
 * axes of the child at the start of the step or part. */
void abut_joint_add_load(const AbutJointWork *work, double load[6]);
/* Adds one impulse along a row (in the columns of both bodies) to `load` likewise. */
void abut_joint_add_row_load(const AbutJointWork *work, const double *row, double impulse, double load[6]);
/* Keeps the joint's solution y, z in its memory, with the coordinates and rates that the step reached. Adds the
 * impulses to those of earlier parts of the step. */
void abut_joint_keep(AbutJointWork *work, double timestep, const double *y, const double *z);
