/* Defines two placed shapes, the ray from one centre to the other, the corners of the set C of differences (growth.h),
 * and the result of a query. */
#pragma once

#include "abut/shape.h"
#include "base/vec3.h"
#include "shapes/support/support.h"

/* A bounded shape at its pose. */
typedef struct AbutGrowthSide {
	const AbutShape *shape;
	double M[9];      /* rotation from the shape's own frame to the world */
	double offset[3]; /* from the scaling centre to the origin of the own frame, world, m */
	double centre[3]; /* scaling centre, world, m */
	double radii[3];  /* radii of the shape's round part, own frame, m; of a smooth shape, which is round but no
	                     ellipsoid: radii of a ball that contains it */
} AbutGrowthSide;

/* Places a shape. `position` is that of its body's origin (world, m), and R rotates from the body's frame to the world.
 */
void abut_growth_place(const AbutShape *shape, const double position[3], const double R[9], AbutGrowthSide *out);

/* Returns the reach of the shape along n: the largest n . point, with the point relative to the shape's centre. |n| is
 * about 1. Also writes this point (world, m). */
double abut_growth_reach(const AbutGrowthSide *side, const double n[3], double point[3]);

/* A pair of pieces: one piece of each shape, in that shape's own frame. */
typedef struct AbutPieces {
	AbutPiece piece[2];
} AbutPieces;

/* The pieces, their shares v and the vector m of an answer (collision/growth/newton.c). A later query of the same two
 * shapes starts from them. */
typedef struct AbutGrowthContact {
	int count; /* number of members; 0: no start */
	int end; /* 1 or 2: the answer is on the flat end of side 0 or 1, the disc of member[0]; count is 0 then. 0: no
	            flat end */
	AbutPieces member[3];
	double v[3], m[3]; /* m: 1/m, in the own frame of side 0 */
} AbutGrowthContact;

typedef struct AbutGrowth {
	double alpha;
	double error;     /* the exact alpha is at most this much larger, and never smaller (to rounding) */
	double point[3];  /* common point of both shapes scaled by alpha, world, m */
	double normal[3]; /* from a to b, unit, world */
	double height;    /* h_C(normal), m; the derivative of alpha with respect to D is normal / height */
	int supports;     /* number of evaluations of both support functions */
} AbutGrowth;

typedef struct AbutRay {
	const AbutGrowthSide *side[2];
	double D[3];
	double lower, u[3], height; /* largest lower bound of alpha so far, its direction (world) and h_C there (m) */
	int supports;
} AbutRay;

/* A corner of C: a point s = a - b furthest along u, |u| = 1, and its pieces. */
typedef struct AbutCorner {
	double u[3], s[3], a[3], b[3]; /* world, m; u: unit; a, b: relative to the shapes' centres */
	AbutPieces pieces;
} AbutCorner;

/* Returns D . (s x t): positive if t is counterclockwise from s, seen against the direction of D. */
static inline double abut_ray_turn(const AbutRay *ray, const double s[3], const double t[3])
{
	double across[3];
	abut_cross3(s, t, across);
	return abut_dot3(ray->D, across);
}

/* Computes the lower bound of alpha from u and s of a corner, and keeps it if it is the largest. Returns h_C(u). */
double abut_ray_bound(AbutRay *ray, const AbutCorner *corner);

/* Finds the corner along n, of any length, and keeps its bound of alpha if it is the largest. For each side, writes the
 * furthest point e of the round part relative to its middle, and its reach |r o u|, with u in the shape's own frame.
 * Returns h_C(u). */
double abut_ray_support(AbutRay *ray, const double n[3], AbutCorner *out, double e[2][3], double reach[2]);

/* Returns which of the three points s to replace by `further` so that the ray still passes through the triangle. */
int abut_ray_gives_way(const AbutRay *ray, const double *const s[3], const double further[3]);
