/* Computes gap, frame and arms of one contact point of method point-ncp, at the bodies' next poses. One side is a ball,
 * or a corner (a ball of radius 0). With c_i the centres, r_i the radii, x_i the bodies' positions and n the unit
 * normal from side 0 to side 1, the other side is one of
 *
 *     halfspace  m.p <= o:   gap = m.(c_0 - x_1) - o - r_0,        n = -m
 *     round:                 gap = |c_1 - c_0| - r_0 - r_1,        n = (c_1 - c_0) / |c_1 - c_0|
 *
 * The centre of a capsule is the point of its axis nearest to the other centre. A face of a box or polytope, on either
 * side, is a plane that moves with its body; its gap is that of dynamics/methods/points/face.h. An edge is the axis of
 * a capsule of radius 0; such axes are called rods. Two crossing lines, edges or axes, have the gap of
 * dynamics/methods/points/cross.h. The contact point p is the nearest material point of the ball: c_0 + r_0 n, or c_1 -
 * r_1 n for a ball of side 1. The impulse acts on both bodies at p:
 *
 *     F = gamma n + beta_1 t_1 + beta_2 t_2 on side 1, -F on side 0,     slip_k = t_k.(v_1 - v_0) at p.
 *
 * Tested with finite differences in tests/dynamics/methods/points/test_point_ncp_directions.c. */
#pragma once

#include "dynamics/body/body.h"
#include "dynamics/contact/contact.h"
#include "dynamics/methods/points/cross.h"
#include "dynamics/methods/points/set.h"

/* Weights of gap and slip in their complementarity with the impulses. */
#define ABUT_POINT_WEIGHT_GAP 1.0
#define ABUT_POINT_WEIGHT_SLIP 1.0

/* Rows of a point: gap, slip 1, slip 2, or their impulses gamma, beta_1, beta_2. */
enum { ABUT_POINT_ROWS = 3 };

/* The role of each side of a point, and the nearest feature. */
typedef struct AbutPointRole {
	int ball;       /* the side of the ball or corner; 0 if both have one */
	int plane;      /* the side with the plane or face; -1: none */
	int rod;        /* the side of a capsule's axis or an edge beside a ball; -1: none */
	int hull;       /* the side with a hull, whose face or edge may be nearest; -1: none */
	int face;       /* index of the hull's face */
	double edge[6]; /* ends of the hull's edge, if it is the rod; body axes */
	bool crosses;   /* the point is where two lines cross */
	AbutPointCrossing crossing;
} AbutPointRole;

/* Geometry of a point at the iterate; world axes, model units. */
typedef struct AbutPointGeometry {
	double gap;               /* without the shift */
	double at[2][3];          /* centres, from their bodies' positions */
	double line[3], distance; /* c_1 - c_0 of a round pair, and its length */
	double from_plane[3];     /* the ball's centre, from the position of the plane's body */
	double uphill[3];         /* derivative of the gap with respect to that centre */
	double axis[3];           /* the rod, from end to end */
	bool inside;              /* the nearest point of the rod is not one of its ends */
	AbutPointLines lines;     /* the crossing lines */
	double release[2];        /* derivatives of the release with respect to the lines' shares */
	double arm[2][3];         /* contact point, from each body's position */
	double drift[3];          /* v_1 - v_0 at the contact point */
} AbutPointGeometry;

/* Impulses of a point at the iterate. */
typedef struct AbutPointImpulse {
	double gamma, beta[3];
	double head_residual; /* mu gamma - beta_0 */
	double force[3];      /* F */
} AbutPointImpulse;

typedef struct AbutPoint {
	const AbutPair *pair;
	int place; /* index among the pair's points, some of which may be left out */
	AbutBodyWork *body[2];
	const AbutPointSet *set[2];
	const double *centre[2]; /* centre in body axes; first end of a rod; NULL for a plane */
	AbutPointRole role;
	double reference[3];   /* for the tangents (dynamics/contact/frame.h) */
	double shift;          /* added to the gap while recovering from overlap */
	double mu;             /* smaller than the pair's coefficient while friction is increased step by step */
	int y, z;              /* first entries in the problem's y and z */
	const AbutCone *cones; /* the cone of gamma, then those of friction */
	int n_cones;
	AbutPointGeometry now;
	AbutPointImpulse impulse;
	AbutContactFrame frame; /* n, t_1, t_2 */
	double by[ABUT_POINT_ROWS]
	         [12]; /* derivatives of the weighted gap and slips by (v+, w+) of both sides, from the last condense */
	AbutFrictionLaw friction;
} AbutPoint;

/* A small change of the sides' next poses and velocities; `turn` is a rotation vector in world axes. */
typedef struct AbutPointChange {
	double place[2][3], turn[2][3], velocity[2][3], spin[2][3];
} AbutPointChange;

/* The effect of a change at fixed impulses: changes of weighted gap and slip, and of the wrenches on both sides. */
typedef struct AbutPointFollow {
	double rows[ABUT_POINT_ROWS];
	double wrench[2][6];
} AbutPointFollow;

/* Computes gap, arms and frame, from the poses of the bodies. */
void abut_point_place(AbutPoint *point);
/* Returns whether a corner beside a hull can be left out: it is above another face by more than the step can close, and
 * by clearly more than its gap to the chosen face. Then that other face separates the two. */
bool abut_point_is_elsewhere(const AbutPoint *point, double timestep);
/* Computes the two weighted slips from the frame and the velocities; slip[2] is 0. */
void abut_point_slip(AbutPoint *point, double slip[3]);
/* Computes the wrench on a side by an impulse, given in world axes as it acts on side 1. A planar body takes only the
 * part in its plane. */
void abut_point_wrench(const AbutPoint *point, int side, const double impulse[3], double out[6]);
void abut_point_push(const AbutPoint *point, const AbutPointChange *change, AbutPointFollow *out);

/* Returns the change of poses and velocities if entry k (0 to 5) of (v+, w+) of a side grows by 1. */
AbutPointChange abut_point_unit_velocity(const AbutPoint *point, double timestep, int side, int k);

/* Computes the wrenches on a side by unit impulses gamma, beta_1 and beta_2. */
void abut_point_directions(const AbutPoint *point, int side, double out[ABUT_POINT_ROWS][6]);
