/* Kinds of joints: which relative freedoms a joint holds and which it leaves, as geometry alone. A kind is a row of
 * kind.c, and a file of its own if its rows are not of the common form (rod.c).
 *
 * A joint has frames on its bodies a and b: anchors p_a, p_b and axes A, B (columns, world). With d = p_b - p_a, a row
 * is a function k of d, A and B with the derivatives
 *
 *     dk = n . (dd - [dTheta_a x d])  +  t . (dTheta_b - dTheta_a)
 *
 * where only kinds whose n turns with a (`turning`) have the term in brackets: the reaction on a then acts at p_b. The
 * impulse lambda of a row is the force lambda n on b at p_b and the torque lambda t, and the opposite on a.
 *
 *     translation held along axis i of a:     k = A_i . d            n = A_i,   t = 0
 *     all three translations held:            k = d                  n: world axes
 *     rotation held:                          k = A_i . B_j          n = 0,     t = B_j x A_i
 *     slide along axis i of a:                c = A_i . d            n = A_i,   t = 0
 *     turn:                  c = atan2(A_i . B_j, A_k . B_l)         n = 0,     t from both products
 *     spin about axis i of b, from the turn D of b in a at the start of the step, with A' = A D:
 *                            s = (A'_k . B_j - A'_j . B_k) / 2       n = 0,     t from both products
 *
 * Spins are the freedoms of a ball, of which finite turns are no coordinates: s is the sine of the turn in the step
 * times its axis. A ball's coordinates are the rotation vector. The limits of a ball act on two more functions, of its
 * axes a = A_z and b = B_z:
 *
 *     cone    k = (a . b - 1) / sin(limit) = -|a - b|^2 / (2 sin(limit))       t = (b x a) / sin(limit)
 *     twist   k = atan2(A_y . B_x - A_x . B_y, A_x . B_x + A_y . B_y)           t = (a + b) / (1 + a . b)
 *
 * At an angle phi of b from a, the cone is k = (cos phi - 1) / sin(limit), which is -tan(limit / 2) at the limit, where
 * it changes by 1 rad/rad. It is smooth everywhere; its row vanishes at phi = 0, where no limit acts, and at phi = pi,
 * outside of all limits. The twist is the turn about z that is left when the shortest turn takes b to a; it is smooth
 * but for phi = pi. With da = dTheta_a x a, db = dTheta_b x b and D = 1 + a . b,
 *
 *     dt = (da + db) / D - (a + b) (b x a) . (dTheta_b - dTheta_a) / D^2.
 *
 * Products of axes have no branch at any angle of a hinge, and their rows have length 1 wherever the joint is closed.
 * Compared with differences in tests/dynamics/joint/test_kinds.c. */
#pragma once

#include <stdbool.h>

#include "abut/joint.h"

/* A known turn of a freedom: its angle, and numbers in proportion to its sine and cosine. */
typedef struct AbutJointTurn {
	double angle, sine, cosine;
} AbutJointTurn;

/* Geometry of a joint at a pose, in world axes. */
typedef struct AbutJointPose {
	double d[3];       /* p_b - p_a */
	double A[9], B[9]; /* row-major; column i is axis i */
	double length;     /* of a rod */
	double cone;       /* sine of the largest angle of a ball's cone */
	const double
	    *from; /* (9) D of spins; NULL: their values are the rotation vector, and their rows the axes of b */
	const AbutJointTurn *near; /* (n_freedoms) turns at the start of the step, or NULL */
} AbutJointPose;

typedef struct AbutJointRow {
	double value;
	double n[3], t[3];
} AbutJointRow;

/* Change of the force f and torque tau of all rows together, for fixed impulses: df = f_d dd + f_a dTheta_a,
 * dtau = tau_a dTheta_a + tau_b dTheta_b. Row-major. */
typedef struct AbutJointCurvature {
	double f_d[9], f_a[9], tau_a[9], tau_b[9];
} AbutJointCurvature;

enum {
	ABUT_JOINT_HELD = 6,                       /* most held rows */
	ABUT_JOINT_LAWS = ABUT_JOINT_FREEDOMS + 2, /* most rows on which laws act */
	ABUT_JOINT_ROWS = ABUT_JOINT_LAWS + 3      /* most rows: held, then those of laws */
};

/* A function that limits a ball, in place of a coordinate. */
typedef enum AbutJointBound { ABUT_BOUND_NONE, ABUT_BOUND_CONE, ABUT_BOUND_TWIST } AbutJointBound;

/* A freedom: a slide along axis `slide` of a, or (`slide` < 0) the turn atan2(A_i . B_j, A_k . B_l), a spin, or a bound
 * of a ball. */
typedef struct AbutJointFreedom {
	int slide;
	int sine[2], cosine[2];
	int about; /* axis of the turn, of a before and of b after the turns that precede it; of a spin, of b */
	bool spins;
	AbutJointBound bound;
} AbutJointFreedom;

typedef struct AbutJointKind AbutJointKind;
struct AbutJointKind {
	int n_translations, translation[3]; /* axes of a along which d is held; all three: world axes */
	int n_rotations, rotation[3][2];    /* axes of a and b that stay orthogonal */
	int n_freedoms, n_laws;             /* coordinates; the same and the bounds, which follow them */
	AbutJointFreedom freedom[ABUT_JOINT_LAWS];
	/* The only held row of a kind of another form, and its curvature. NULL: the common form. */
	void (*row)(const AbutJointPose *pose, AbutJointRow *row);
	void (*row_curvature)(const AbutJointPose *pose, double lambda, AbutJointCurvature *curvature);
};

/* Returns the kind of a type of joint; of a ball, also by the number of its bounds (0; 1: cone; 2: cone and twist), or
 * -1 if nothing acts on it. */
const AbutJointKind *abut_joint_kind(AbutJointType type, int bounds);
/* Returns the kind without rows, of a joint that springs of method convex hold. */
const AbutJointKind *abut_joint_kind_open(void);
