/* The result of a growth distance query: point, normal, and the start of the next query. */
#ifndef COLLISION_GROWTH_ANSWER_H
#define COLLISION_GROWTH_ANSWER_H

#include "shapes/support/support.h"

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

#endif
