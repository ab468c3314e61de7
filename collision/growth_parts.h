/* The inside of the growth distance: the ray, the corners at which it is held, and the two ways on from there. */
#ifndef COLLISION_GROWTH_PARTS_H
#define COLLISION_GROWTH_PARTS_H

#include "collision/growth.h"

/* Relative to alpha: what is aimed at, and what counts as solved. */
#define ABUT_GROWTH_GOAL 1e-12
#define ABUT_GROWTH_ENOUGH 1e-9

/* A point s = a - b of C that is furthest along u, |u| = 1, and the pieces of both shapes that it is of. */
typedef struct AbutCorner {
	double u[3], s[3], a[3], b[3]; /* about the centres, world, m */
	AbutPieces pieces;
} AbutCorner;

typedef struct AbutRay {
	const AbutGrowthSide *side[2];
	double D[3];
	double lower, u[3], height; /* the largest lower bound of alpha yet, the direction that gives it, and h_C there */
	int supports;
	int moves;
} AbutRay;

/* The corner along n, which need not be of unit length; a better lower bound is kept. */
void abut_ray_support(AbutRay *ray, const double n[3], AbutCorner *out);

/* The bound of alpha that a corner gives, `height` above the centre along its u; kept if it is the largest. */
void abut_ray_bound(AbutRay *ray, const AbutCorner *corner, double height);

/* Which of three points s gives way to a further one, so that the ray passes through what is left. */
int abut_ray_gives_way(const AbutRay *ray, const double *const s[3], const double further[3]);

/* Newton's method on up to three pieces of C, from `contact`, which is replaced by where it ends. False when it does
 * not end at the answer, with `last` the corner where it stopped. */
bool abut_growth_newton(AbutRay *ray, AbutGrowthContact *contact, AbutGrowth *out);

/* Whether the ray leaves C through a flat end of a cylinder or a cone, where Newton's method has no derivative. */
bool abut_growth_flat_end(AbutRay *ray, int side, AbutGrowth *out, double try[3]);

/* What a way of solving leaves in the result: alpha by its lower bound. */
void abut_ray_end(const AbutRay *ray, double error, AbutGrowth *out);

#endif
