/* Finds a large ball inside a polytope by the simplex method with four rows. */
#pragma once

#include "shapes/hull/hull.h"

typedef enum AbutInnerBall {
	ABUT_INNER_BALL_FOUND,
	ABUT_INNER_BALL_UNBOUNDED, /* balls of any size fit */
	ABUT_INNER_BALL_FAILED,    /* pivots failed because of rounding */
} AbutInnerBall;

/* Computes the centre and radius (m) of a ball in the set { p : A p <= b }. The rows of A (m x 3) have unit length. The
 * ball is at least half as large as the largest one. For a flat set the radius is zero to rounding. For an empty set it
 * is negative: minus the smallest possible violation of the rows. */
AbutInnerBall abut_inner_ball(int m, const double *A, const double *b, double centre[3], double *radius);
