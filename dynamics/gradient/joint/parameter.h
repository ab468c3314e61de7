/* Computes how a parameter of a joint or its motor changes the laws of a freedom. */
#pragma once

#include "dynamics/gradient/joint/linear.h"
#include "dynamics/state/state.h"

/* A change of a branch by -K shift. */
typedef struct AbutJointShift {
	const AbutJointBranch *branch;
	double by;
} AbutJointShift;

/* The change for one model unit of a parameter, in the terms of dynamics/gradient/joint/linear.h: the impulses of rows
 * change by `direct`, and those of branches by their shifts. */
typedef struct AbutJointChangeBy {
	int row, n_rows; /* the first row, and the number of rows: 3 of a ball */
	double direct[ABUT_JOINT_FREEDOMS];
	int n_shifts;
	AbutJointShift shift[ABUT_JOINT_FREEDOMS];
} AbutJointChangeBy;

/* Returns whether the parameter belongs to the joint. */
bool abut_joint_parameter_touches(const AbutModel *model, const AbutJointWork *work, const AbutParameter *parameter);

/* Computes the change by a parameter of the joint; on the path at `kappa` (0: at the exact solution). `y` and `z` are
 * the joint's. */
void abut_joint_by_parameter(const AbutJointLinear *linear, const AbutParameter *parameter, double kappa,
                             const double *y, const double *z, AbutJointChangeBy *out);

/* Returns whether a given effort is at its limit to 1e-9, so that the derivative by the parameter is one-sided. */
bool abut_joint_parameter_at_bound(const AbutJointWork *work, const AbutParameter *parameter);
