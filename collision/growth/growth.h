/* The growth distance of two shapes at fixed poses to rounding, from their support functions (docs/formulation.md 9):
 * the least alpha at which both, scaled by it about their centres, share a point.
 *
 * With C the set of differences a - b, a and b running over the two shapes about their centres, and D the way from one
 * centre to the other,
 *
 *     alpha = min { t : D in t C } = max over n of n.D / h_C(n),      h_C(n) = h_a(n) + h_b(-n):
 *
 * where the ray along D leaves C, scaled. Either is used: the portal (growth.c) closes in on the point from inside,
 * Newton's method (collision/growth/newton.c) on the normal from outside. No allocation, no state but the caller's. The
 * relaxed problem, which has derivatives of everything, is in scaling.h. Tested in tests/collision/test_growth.c. */
#ifndef COLLISION_GROWTH_GROWTH_H
#define COLLISION_GROWTH_GROWTH_H

#include <stdbool.h>

#include "abut/shape.h"
#include "shapes/support.h"

/* A bounded shape where it is. */
typedef struct AbutGrowthSide {
	const AbutShape *shape;
	double M[9];      /* from the shape's own frame to the world */
	double offset[3]; /* of the own frame's origin from the scaling centre, world, m */
	double centre[3]; /* scaling centre, world, m */
	double radii[3];  /* of the shape's round part, own frame, m; of a smooth shape, whose round part is all of it
	                     and  no ellipsoid, those of a ball that holds it */
} AbutGrowthSide;

void abut_growth_place(const AbutShape *shape, const double position[3], const double R[9], AbutGrowthSide *out);

/* How far the shape reaches from its centre along n, of about unit length: the largest n . point, and that point, about
 * the centre (m, world). */
double abut_growth_reach(const AbutGrowthSide *side, const double n[3], double point[3]);

/* A piece of C: one of either shape, in their own frames. */
typedef struct AbutPieces {
	AbutPiece piece[2];
} AbutPieces;

/* The pieces that meet in the answer, their shares v, and its m (collision/growth/newton.c): what a later query of the
 * same two shapes starts from. */
typedef struct AbutGrowthContact {
	int count; /* 0: none */
	int end;   /* 1 or 2: the flat end of that side is the answer, the disc of member[0], and count is 0 */
	AbutPieces member[3];
	double v[3], m[3]; /* m: per m, in a's own frame */
} AbutGrowthContact;

typedef struct AbutGrowth {
	double alpha;
	double error;     /* alpha is at most this much too small, never too large (to rounding) */
	double point[3];  /* in both shapes scaled by alpha, world, m */
	double normal[3]; /* from a to b, unit, world */
	double height;    /* h_C(normal), m: d alpha / d(D) = normal / height */
	int supports;     /* evaluations of both support functions */
} AbutGrowth;

/* Both shapes are bounded. Starts from `contact`, or cold, and replaces it. Where both centres coincide alpha is 0 and
 * the normal a's own z. False when what is left is an error above 1e-9 of alpha. */
bool abut_growth_solve(const AbutGrowthSide *a, const AbutGrowthSide *b, AbutGrowthContact *contact, AbutGrowth *out);

/* A bounded shape and a halfspace: alpha h(-n) = height of the centre above the plane; below it the centre alone is
 * enough, alpha 0. Returns the gap, and a normal, of every alpha. */
double abut_growth_above_plane(const AbutGrowthSide *shape, const AbutGrowthSide *plane, AbutGrowth *out);

#endif
