/* The inside of the growth distance: the ray, and the ways to where it leaves C. */
#ifndef COLLISION_GROWTH_PARTS_H
#define COLLISION_GROWTH_PARTS_H

#include "collision/growth/growth.h"

typedef struct AbutRay {
	const AbutGrowthSide *side[2];
	double D[3];
	double lower, u[3], height; /* the largest lower bound of alpha yet, its direction, and h_C there */
	int supports;
} AbutRay;

/* A point s = a - b of C that is furthest along u, |u| = 1, and the pieces that it is of. */
typedef struct AbutCorner {
	double u[3], s[3], a[3], b[3]; /* about the centres, world, m */
	AbutPieces pieces;
} AbutCorner;

/* The side's furthest point along u, |u| = 1, about its centre, with its piece and e, how far the shape's round part r
 * reaches from its middle, zero without one (world, m); returns |r o u|, u in the own frame. */
double abut_growth_look(const AbutGrowthSide *side, const double u[3], AbutPiece *piece, double point[3], double e[3]);

/* The lower bound of alpha that a corner gives, by its u and s; kept if it is the largest. Returns h_C(u). */
double abut_ray_bound(AbutRay *ray, const AbutCorner *corner);

/* Which of three points s, the ray passing between them, gives way to a further one, so that it still does. */
int abut_ray_gives_way(const AbutRay *ray, const double *const s[3], const double further[3]);

/* Newton's method from a direction n and from the pieces of `contact`, which is replaced: by the answer's, or by none.
 * False when it does not end at the answer. */
bool abut_growth_newton(AbutRay *ray, const double n[3], AbutGrowthContact *contact, AbutGrowth *out);

/* Whether the ray leaves C through the flat end of side k, the disc among `pieces`. If not, n is a direction to go on
 * from, or zero. */
bool abut_growth_end(AbutRay *ray, const AbutPieces *pieces, int k, double n[3], AbutGrowth *out);

#endif
