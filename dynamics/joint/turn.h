/* The curvature of a joint's rows: how its impulses on the bodies, g' I, change with the bodies' poses at fixed I. In
 * turn[2 s + c] are the rows of side s and the columns of side c. */
#pragma once

#include "dynamics/joint/joint.h"

/* Motion of the joint by one side's dx or dTheta (columns): of d, of the levers, of the force and of the torque. */
typedef struct AbutJointMotion {
	double d[9], lever[2][9], f[9], tau[9];
} AbutJointMotion;

/* Computes the motion by dx (`turn` false) or dTheta of side `s` at the poses at which the joint was placed last, for
 * the impulses of all rows. */
void abut_joint_moved_by(const AbutJointWork *work, const double *impulse, int s, bool turn, AbutJointMotion *out);
/* Computes the change of row' I by the poses (displacement, small turn) at which the joint was placed last, for the
 * impulses I of all rows. */
void abut_joint_turn_by_poses(const AbutJointWork *work, const double *impulse, double turn[4][36]);
/* Splits the impulses of a joint by the share of the end of the step in their direction: theta, or that of bounds. */
void abut_joint_split_impulses(const AbutJointWork *work, double of_theta[ABUT_JOINT_ROWS],
                               double of_bounds[ABUT_JOINT_ROWS]);
/* Computes d(g' I) / d(v, w) at the iterate. */
void abut_joint_turn_of_rows(const AbutJointWork *work, double timestep, double turn[4][36]);
