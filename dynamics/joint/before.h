/* Finds where a joint was before its bodies moved through a step: at z- = (x0 - h v0, E' R0), with E the rotation by
 * the quaternion (c, h w0 / 2). The velocities of a state are the mean ones of the step before, also if there was none.
 * So the rate of a coordinate in that step is (c(z0) - c(z-)) / h. With g (v0, w0) in its place, a rotor on an axis
 * that turns would receive half of the acceleration g' (v, w) twice, or not at all.
 *
 * Tested in tests/dynamics/joint/test_first_step.c. */
#pragma once

#include "dynamics/joint/joint.h"

typedef struct AbutJointBefore {
	AbutBodyWork body[2];
	AbutJointWork work;      /* placed at z- */
	double E[2][9], G[2][9]; /* turn of each body in the step, and its derivative by w0 (dynamics/body/balance.h) */
	AbutJointColumns rows[ABUT_JOINT_ROWS];
} AbutJointBefore;

/* Places the joint, whose bodies have a pose x0, R0 and velocities at the start of a step. */
void abut_joint_place_before(const AbutJointWork *work, double h, AbutJointBefore *out);
/* Computes the rates of its freedoms in the step before, of length h. `work` is placed at the start. */
void abut_joint_rates_before(const AbutJointWork *work, double h, double rate[ABUT_JOINT_FREEDOMS]);
