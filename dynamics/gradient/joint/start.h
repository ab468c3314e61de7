/* Differentiates a joint at the start of a step: its rows, and the rates of its coordinates in the step before. */
#pragma once

#include "dynamics/gradient/joint/linear.h"

/* A joint at the start of the step. Its rows are in the columns of both bodies (abut_joint_column). */
typedef struct AbutJointStart {
	AbutBodyWork body[2];
	AbutJointWork work;  /* placed at the start */
	double to_end[2][9]; /* small turns of a body at the end, per turn at the start: R+ R0' */
	/* Of a ball: the rows spun0 and phi0 (start.c). */
	AbutJointColumns spun[ABUT_JOINT_FREEDOMS], phi[ABUT_JOINT_FREEDOMS];
} AbutJointStart;

/* Places a joint at the start of its step. */
void abut_joint_start_place(const AbutJointWork *work, AbutJointStart *out);

/* The derivative of the rate r of a coordinate in the step before, by the bodies' poses (displacement, small turn) and
 * velocities (v, w) at the start. A turn of the pose also turns w with the body. */
typedef struct AbutJointRate {
	double by_pose[2][6], by_velocity[2][6];
} AbutJointRate;

/* Computes the derivative for freedom `i` of r = (c(z0) - c(z-)) / h, with the pose z- where the step before, of length
 * h, began (dynamics/joint/before.h). Without such a step, h is that of the present one. */
void abut_joint_start_rate(const AbutJointStart *start, int i, AbutJointRate *out);
