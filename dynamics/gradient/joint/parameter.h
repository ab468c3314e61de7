/* Computes how a parameter of a joint or its motor changes the laws of a freedom. */
#pragma once

#include "dynamics/gradient/joint/linear.h"
#include "dynamics/state/state.h"

/* The change for one model unit of a parameter, in the terms of dynamics/gradient/joint/linear.h: the impulse of `row`
 * changes by `direct`, and that of a branch by -K shift. */
typedef struct AbutJointChangeBy {
	int row;
	double direct, shift;
	const AbutJointBranch *branch; /* NULL: none */
} AbutJointChangeBy;

/* Returns whether the parameter belongs to the joint. */
bool abut_joint_parameter_touches(const AbutModel *model, const AbutJointWork *work, const AbutParameter *parameter);

/* Computes the change by a parameter of the joint; on the path at `kappa` (0: at the exact solution). `y` and `z` are
 * the joint's. */
void abut_joint_by_parameter(const AbutJointLinear *linear, const AbutParameter *parameter, double kappa,
                             const double *y, const double *z, AbutJointChangeBy *out);

/* Returns whether a given effort is at its limit to 1e-9, so that the derivative by the parameter is one-sided. */
bool abut_joint_parameter_at_bound(const AbutJointWork *work, const AbutParameter *parameter);
