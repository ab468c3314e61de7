/* The ray from one centre to the other, and corners of the set C of differences (collision/growth/growth.h). */
#ifndef COLLISION_GROWTH_RAY_H
#define COLLISION_GROWTH_RAY_H

#include "base/vec3.h"
#include "collision/growth/answer.h"
#include "collision/growth/side.h"

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

/* Returns D . (s x t), positive when t is counterclockwise from s as seen against the ray. */
static inline double abut_ray_turn(const AbutRay *ray, const double s[3], const double t[3])
{
	double across[3];
	abut_cross3(s, t, across);
	return abut_dot3(ray->D, across);
}

/* Computes the lower bound of alpha that a corner gives, from its u and s, and keeps the largest. Returns h_C(u). */
double abut_ray_bound(AbutRay *ray, const AbutCorner *corner);

/* Finds the corner along n, of any length, with the offsets e of its points from the middles of the round parts, and
 * their reaches (abut_growth_look); keeps its bound of alpha if it is the largest. Returns h_C(u). */
double abut_ray_support(AbutRay *ray, const double n[3], AbutCorner *out, double e[2][3], double reach[2]);

/* Returns which of three points s to replace by `further` so that the ray still passes through the triangle. */
int abut_ray_gives_way(const AbutRay *ray, const double *const s[3], const double further[3]);

#endif
