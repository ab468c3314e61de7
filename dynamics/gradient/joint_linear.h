/* Linearises a joint at a solution. Its rows (dynamics/joint/kinds/kind.h) push the bodies by impulses I, and each law
 * of a row adds a branch to the change of its I. With row+ at the end of the step, row0 at its start, and changes dz+,
 * dz0 of the bodies' poses there,
 *
 *     dI = pull y - K (row+ dz+ / dt + start row0 dz0) + last dr.
 *
 * K is the stiffness of the law. A law that holds its row has K = 1 / delta and the held number y, which becomes dI
 * (dynamics/gradient/solve.c), so that the delta has no effect. A small compliance e of a law is kept beside it: K = 1
 * / (delta + e), pull = delta K. r is the rate of the coordinate in the step before, on which armature and springs
 * depend.
 */
#pragma once

#include "dynamics/joint/joint.h"

/* The compliance beside held numbers, in those of a step (AbutJointWork.regular). The stiffness of a step costs 8
 * digits here; this one costs 6, and a correction restores its effect. */
static const double abut_joint_softer = 1e2;

typedef enum AbutJointLawKind {
	ABUT_JOINT_LAW_HELD,
	ABUT_JOINT_LAW_PASSIVE,
	ABUT_JOINT_LAW_LIMITS,
	ABUT_JOINT_LAW_FRICTION,
	ABUT_JOINT_LAW_SERVO_LIMITED,
	ABUT_JOINT_LAW_SERVO_FREE
} AbutJointLawKind;

typedef struct AbutJointBranch {
	AbutJointLawKind kind;
	int row;            /* of the joint */
	double K, pull;     /* pull 0: not held */
	double own;         /* compliance e of the law itself; 0 where it does not move at all (K 0) */
	double start, last; /* start: 1 / time */
} AbutJointBranch;

enum { ABUT_JOINT_BRANCHES = 4 * ABUT_JOINT_FREEDOMS + ABUT_JOINT_ROWS };

typedef struct AbutJointLinear {
	AbutJointWork *work;
	double timestep;
	int n, n_held;
	AbutJointBranch branch[ABUT_JOINT_BRANCHES];
	bool parallel; /* several laws hold one freedom */
} AbutJointLinear;

/* Linearises the laws of a joint. `law` is that of the island's cones, on the path if `smoothed`. */
void abut_joint_linear_begin(AbutJointWork *work, double timestep, const AbutConeLaw *law, bool smoothed,
                             AbutJointLinear *out);
