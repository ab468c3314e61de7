/* Evaluates a joint at an iterate. */
#pragma once

#include "dynamics/joint/joint.h"

/* Computes the geometry of a joint from its bodies' present R and x, with d from their velocities. */
void abut_joint_pose(const AbutJointWork *work, double timestep, AbutJointPose *pose, double lever[2][3]);
/* Computes the geometric rows of the held and free rows at a pose, and their values. */
void abut_joint_columns(const AbutJointWork *work, const AbutJointPose *pose, double lever[2][3],
                        AbutJointColumns *rows, double *values);

/* Computes r and H of the joint at its unknowns y and z, and subtracts its impulses from the balances r_bodies. The
 * bodies must have moved. */
void abut_joint_evaluate(AbutJointWork *work, double timestep, const double *y, const double *z, double *r, double *H,
                         double *r_bodies);
