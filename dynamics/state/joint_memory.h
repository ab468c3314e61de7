/* The memory of a joint from step to step: its last solution. All numbers, so that a snapshot is a copy. */
#pragma once

#include "dynamics/joint/kinds/kind.h"

/* Numbers that a freedom keeps: impulses of both limits, friction (b), limited servo (m), free servo. */
enum { ABUT_JOINT_KEPT = 5 };

/* What a step did, for abut_joint_get: impulses are sums over its parts. */
typedef struct AbutJointDone {
	double force[3], torque[3]; /* of the held rows on the child; world, about its anchor */
	double limit[ABUT_JOINT_FREEDOMS], friction[ABUT_JOINT_FREEDOMS], motor[ABUT_JOINT_FREEDOMS];
	double violation[2]; /* largest error of held lengths and turns at the end */
	double overshoot[2]; /* of limits of slides and turns at the end */
} AbutJointDone;

typedef struct AbutJointMemory {
	double timestep;                                   /* of the last step or part; 0: no last solution */
	double impulse[ABUT_JOINT_HELD];                   /* of the held rows */
	double position[ABUT_JOINT_FREEDOMS];              /* coordinates, turns counted */
	double rate[ABUT_JOINT_FREEDOMS];                  /* of the last step */
	double kept[ABUT_JOINT_FREEDOMS][ABUT_JOINT_KEPT]; /* of the laws; limits of a ball: cone, then twist */
	double theta; /* share of the rows at the end in the direction of the impulses (dynamics/joint/direction.h) */
	AbutJointDone done;
} AbutJointMemory;

/* The memory of a coupling: its impulse on q_a in the last step or part, the sum over the parts of the step, and the
 * error at its end. */
typedef struct AbutCouplingMemory {
	double impulse, done, violation;
} AbutCouplingMemory;

enum { ABUT_COUPLING_NUMBERS = sizeof(AbutCouplingMemory) / sizeof(double) };
enum { ABUT_JOINT_NUMBERS = sizeof(AbutJointMemory) / sizeof(double) };
