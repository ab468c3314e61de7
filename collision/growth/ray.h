/* Two placed shapes, the ray from one centre to the other, corners of the set C of differences (growth.h), and the
 * result of a query. */
#ifndef COLLISION_GROWTH_RAY_H
#define COLLISION_GROWTH_RAY_H

#include "abut/shape.h"
#include "base/vec3.h"
#include "shapes/support/support.h"

/* A bounded shape at its place. */
typedef struct AbutGrowthSide {
	const AbutShape *shape;
	double M[9];      /* from the shape's own frame to the world */
	double offset[3]; /* from the scaling centre to the own frame's origin, world, m */
	double centre[3]; /* scaling centre, world, m */
	double radii[3];  /* of the shape's round part, own frame, m; for a smooth shape, which is all round but no
	                     ellipsoid, those of a ball that contains it */
} AbutGrowthSide;

/* Places a shape: `position` of its body's origin (world, m), and the rotation R from the body's frame to the world. */
void abut_growth_place(const AbutShape *shape, const double position[3], const double R[9], AbutGrowthSide *out);

/* Returns the reach of the shape from its centre along n, of about unit length: the largest n . point. Writes that
 * point, about the centre (m, world). */
double abut_growth_reach(const AbutGrowthSide *side, const double n[3], double point[3]);

/* A piece of C: one piece of each shape, in their own frames. */
typedef struct AbutPieces {
	AbutPiece piece[2];
} AbutPieces;

/* The pieces that meet in the answer, their shares v, and its m (collision/growth/newton.c): a later query of the same
 * two shapes starts from these. */
typedef struct AbutGrowthContact {
	int count; /* 0: none */
	int end;   /* 1 or 2: the answer is the flat end of that side, the disc of member[0]; count is 0 then */
	AbutPieces member[3];
	double v[3], m[3]; /* m: 1/m, in a's own frame */
} AbutGrowthContact;

typedef struct AbutGrowth {
	double alpha;
	double error;     /* alpha is at most this much too small, never too large (to rounding) */
	double point[3];  /* in both shapes scaled by alpha, world, m */
	double normal[3]; /* from a to b, unit, world */
	double height;    /* h_C(normal), m: d alpha / d(D) = normal / height */
	int supports;     /* evaluations of both support functions */
} AbutGrowth;

typedef struct AbutRay {
	const AbutGrowthSide *side[2];
	double D[3];
	double lower, u[3], height; /* the largest lower bound of alpha so far, its direction, and h_C there */
	int supports;
} AbutRay;

/* A corner: a point s = a - b of C furthest along u, |u| = 1, and its pieces. */
typedef struct AbutCorner {
	double u[3], s[3], a[3], b[3]; /* about the centres, world, m */
	AbutPieces pieces;
} AbutCorner;

/* Returns D . (s x t): positive if t is counterclockwise from s, looking against the ray. */
static inline double abut_ray_turn(const AbutRay *ray, const double s[3], const double t[3])
{
	double across[3];
	abut_cross3(s, t, across);
	return abut_dot3(ray->D, across);
}

/* Computes the lower bound of alpha from a corner's u and s, and keeps the largest. Returns h_C(u). */
double abut_ray_bound(AbutRay *ray, const AbutCorner *corner);

/* Finds the corner along n, of any length, and keeps its bound of alpha if it is the largest. Also returns the offsets
 * e of its points from the middles of the round parts, and their reaches (|r o u|, u in the shape's own frame). Returns
 * h_C(u). */
double abut_ray_support(AbutRay *ray, const double n[3], AbutCorner *out, double e[2][3], double reach[2]);

/* Returns which of three points s to replace by `further` so that the ray still passes through the triangle. */
int abut_ray_gives_way(const AbutRay *ray, const double *const s[3], const double further[3]);

#endif
