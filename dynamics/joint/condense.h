/* Eliminates the unknowns of a joint, so that a linear system of its two bodies remains. */
#pragma once

#include "dynamics/joint/joint.h"

/* Adds the joint to the bodies' system. `r` are the joint's residuals at the last evaluation. */
void abut_joint_condense(AbutJointWork *work, const AbutEdgeRoom *room, const double *r, const AbutConeLaw *law);

/* Computes the stiffness S of each row for a law of the cones: a change of the row's rate changes its impulse by -S. */
void abut_joint_stiffness(AbutJointWork *work, double timestep, const AbutConeLaw *law, double *S);
/* Adds the first n rows to the bodies' system. S[i] is the stiffness of row i; its right-hand sides are in the columns
 * from ABUT_LANE on of work->j[i]. */
void abut_joint_add_rows(const AbutJointWork *work, int n, const double *S, const AbutBlockSystem *system);
