/* The growth distance of two shapes with its point and normal, and what a later query starts from. */
#ifndef COLLISION_GROWTH_ANSWER_H
#define COLLISION_GROWTH_ANSWER_H

#include "shapes/support/support.h"

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

#endif
