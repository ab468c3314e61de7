/* The Jacobian of a joint's equations, for the dense solver. */
#pragma once

#include "dynamics/joint/joint.h"

/* Adds the joint to the Jacobian of [r; H] by [y; z] (column-major, n rows, of which n_y are r). */
void abut_joint_jacobian(const AbutJointWork *work, const AbutEdgeRoom *room, int n_y, int n, double *J);
