/* Eliminates the unknowns of a joint, so that a linear system of its two bodies remains. */
#pragma once

#include "dynamics/joint/joint.h"

/* Adds the joint to the bodies' system. r is the joint's, at the last evaluation. */
void abut_joint_condense(AbutJointWork *work, const AbutEdgeRoom *room, const double *r, const AbutConeLaw *law);

/* Adds the first n rows, with the stiffness S of each and the lanes in work->j, to the bodies' system. */
void abut_joint_add_rows(const AbutJointWork *work, int n, const double *S, const AbutBlockSystem *system);
