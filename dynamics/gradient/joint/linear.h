/* Linearises a joint at a solution. Its rows (dynamics/joint/kinds/kind.h) push the bodies by impulses I, and the laws
 * of a row add branches to the change of its I. With row+ at the end of the step, row0 at its start, and changes dz+,
 * dz0 of the bodies' poses there,
 *
 *     dI = pull y - K (row+ dz+ / dt + start row0 dz0) + last dr.
 *
 * K is the stiffness of the law. A law that holds its row has K = 1 / delta and the held number y, which becomes dI
 * (dynamics/gradient/solve.c), so that the delta has no effect. If the law itself has a small compliance e, then
 * K = 1 / (delta + e) and pull = delta K. r is the rate of the coordinate in the step before, on which armature and
 * springs depend.
 *
 * Two held numbers of one freedom would have the same row. So a freedom has one branch beside that
 * of springs, dampers and armature: laws with compliances e1 and e2 have that of 1 / e = 1 / e1 + 1 / e2. A freedom
 * that a law holds without any compliance has no other branches. If both a limit and friction hold it, only velocities
 * and impulses leave it in place, and other derivatives are refused (dynamics/gradient/refuse.c).
 *
 * The spins of a ball share laws, whose branches act along a direction v of the spins: row+ and g are v' (rows of the
 * spins). Their rates depend on the start of the step in two ways (start.h), so that
 *
 *     dI = v (pull y - K (v' row+ dz+ / dt - v' spun0 dz0 / dt + by_c' phi0 dz0)) + last dr. */
#pragma once

#include "dynamics/joint/joint.h"

/* Delta in units of that of a step (AbutJointWork.regular). Laws of smaller compliance are held: their stiffness would
 * cost more than 5 digits. Otherwise it only scales the equations of held numbers. */
static const double abut_joint_softer = 1e3;

typedef enum AbutJointLawKind {
	ABUT_JOINT_LAW_LIMITS,
	ABUT_JOINT_LAW_FRICTION,
	ABUT_JOINT_LAW_SERVO_LIMITED,
	ABUT_JOINT_LAW_SERVO_FREE
} AbutJointLawKind;

typedef struct AbutJointBranch {
	int row;                /* index among the joint's rows */
	double K, pull;         /* pull 0: not held */
	double start, last;     /* factors of row0 dz0 (1 / time) and of dr */
	bool spins;             /* of spins; `row` is the first, or the only one in v */
	double mix[3], by_c[3]; /* v, and the factors of the rotation vector */
	double stiffness;       /* of spins, of all their laws but springs, dampers and armature: K without delta */
	int pivot;              /* v is 1 here, where it is 0 in later branches of spins */
} AbutJointBranch;

/* A law of a freedom that pushes by a compliance. */
typedef struct AbutJointTerm {
	AbutJointLawKind kind;
	int row;
	double compliance, start; /* e, start as above */
	double lower;             /* limits: share of the lower limit in 1 / e */
	int branch;               /* to which it contributes; -1: to none */
	double share;             /* of the law in 1 / e of the branch */
} AbutJointTerm;

enum { ABUT_JOINT_TERMS = 3 * ABUT_JOINT_LAWS, ABUT_JOINT_BRANCHES = 4 * ABUT_JOINT_LAWS + ABUT_JOINT_HELD };

typedef struct AbutJointLinear {
	AbutJointWork *work;
	double timestep;
	int n, n_held;
	AbutJointBranch branch[ABUT_JOINT_BRANCHES];
	int n_terms;
	AbutJointTerm term[ABUT_JOINT_TERMS];
	double clip_stiffness[ABUT_CLIPS][9]; /* S of what spins share (spins.c); 0 if they stick */
} AbutJointLinear;

/* Linearises the laws of a joint at the island's solution (z, H). `law` is that of the island's cones, on the path if
 * `smoothed`. */
void abut_joint_linear_begin(AbutJointWork *work, double timestep, const double *z, const double *H,
                             const AbutConeLaw *law, bool smoothed, AbutJointLinear *out);
