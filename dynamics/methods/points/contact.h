/* One point of contact of method point-ncp: a ball of side 0, or a corner (a ball of radius 0), beside side 1, at the
 * bodies' next poses. With c_i the centres, r_i the radii and n the unit normal from side 0 to side 1,
 *
 *     halfspace  m.p <= o:   gap = m.(c_0 - x_1) - o - r_0,        n = -m
 *     round:                 gap = |c_1 - c_0| - r_0 - r_1,        n = (c_1 - c_0) / |c_1 - c_0|
 *
 * where the centre of a capsule is the point of its axis nearest to the other centre. A face of a box or polytope is a
 * moving plane, on either side, with the gap of dynamics/methods/points/face.h; its edges are rods. Two crossing lines,
 * edges or axes, have the gap of dynamics/methods/points/cross.h. The contact point is the nearest material point of
 * the ball, p = c_0 + r_0 n (c_1 - r_1 n for a ball of side 1), where the impulse acts on both bodies, and
 *
 *     F = gamma n + beta_1 t_1 + beta_2 t_2 on side 1, -F on side 0,     slip = t.(v_1 - v_0) at p.
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

/* d(gap, slip 1, slip 2), d(gamma, beta_1, beta_2) */
enum { ABUT_POINT_ROWS = 3 };

/* The role of each side of a point, and the nearest feature. */
typedef struct AbutPointRole {
	int ball;       /* the side with this ball or corner; 0 for two */
	int plane;      /* the side with the plane or face; -1: none */
	int rod;        /* the side that is a rod, if the other is round; -1: none */
	int hull;       /* the side with a hull, whose face or edge may be nearest; -1: none */
	int face;       /* of the hull */
	double edge[6]; /* of the hull, if it is the rod */
	bool crosses;   /* two lines cross */
	AbutPointCrossing crossing;
} AbutPointRole;

/* Geometry of a point at the iterate; world axes. */
typedef struct AbutPointGeometry {
	double gap;               /* without the shift */
	double at[2][3];          /* centres relative to x */
	double line[3], distance; /* c_1 - c_0 of a round pair, its length */
	double from_plane[3];     /* the ball's centre relative to x of the plane's body */
	double uphill[3];         /* dgap by that centre */
	double axis[3];           /* of the rod */
	bool inside;              /* the nearest point of the rod is not an end of it */
	AbutPointLines lines;     /* the crossing lines */
	double release[2];        /* dgap by their shares */
	double arm[2][3];         /* p - x */
	double drift[3];          /* v_1 - v_0 at p */
} AbutPointGeometry;

/* Impulses of a point at the iterate. */
typedef struct AbutPointImpulse {
	double gamma, beta[3];
	double head_residual; /* mu gamma - beta_0 */
	double force[3];      /* F */
} AbutPointImpulse;

typedef struct AbutPoint {
	const AbutPair *pair;
	int place; /* among the pair's points, some of which may be left out */
	AbutBodyWork *body[2];
	const AbutPointSet *set[2];
	const double *centre[2]; /* body axes; of a rod its first end, of a plane NULL */
	AbutPointRole role;
	double reference[3];   /* for the tangents (dynamics/contact/frame.h) */
	double shift;          /* added to the gap while recovering from overlap */
	double mu;             /* less than the pair's while friction is increased step by step */
	int y, z;              /* first entries in the problem's y and z */
	const AbutCone *cones; /* gamma, then friction */
	int n_cones;
	AbutPointGeometry now;
	AbutPointImpulse impulse;
	AbutContactFrame frame; /* n, t_1, t_2 */
	double by[ABUT_POINT_ROWS]
	         [12]; /* derivative of weighted gap and slip by (v+, w+) of both sides, from the last condense */
	AbutFrictionLaw friction;
} AbutPoint;

/* A small change of next poses (turns about the world's axes) and velocities, by side. */
typedef struct AbutPointChange {
	double place[2][3], turn[2][3], velocity[2][3], spin[2][3];
} AbutPointChange;

/* The result of a change at fixed impulses: weighted gap and slip, and the wrenches on both sides. */
typedef struct AbutPointFollow {
	double rows[ABUT_POINT_ROWS];
	double wrench[2][6];
} AbutPointFollow;

/* Computes gap, arms and frame, from the poses of the bodies. */
void abut_point_place(AbutPoint *point);
/* Returns whether a corner of two hulls is beside the other hull, further than the step can lead, but not as far from
 * the chosen face: then another face separates the two there. */
bool abut_point_is_elsewhere(const AbutPoint *point, double timestep);
/* Computes the weighted slip (2) from the frame and the velocities. */
void abut_point_slip(AbutPoint *point, double slip[3]);
/* Computes the wrench of an impulse (world, with side 1's sign) on a side; a planar body takes only the part in its
 * plane. */
void abut_point_wrench(const AbutPoint *point, int side, const double impulse[3], double out[6]);
void abut_point_push(const AbutPoint *point, const AbutPointChange *change, AbutPointFollow *out);

/* Returns the change for a unit of entry k (0 to 5) of a side's (v+, w+), poses included. */
AbutPointChange abut_point_unit_velocity(const AbutPoint *point, double timestep, int side, int k);

/* Computes the wrench of a unit of each impulse (gamma, beta_1, beta_2) on a side. */
void abut_point_directions(const AbutPoint *point, int side, double out[ABUT_POINT_ROWS][6]);
