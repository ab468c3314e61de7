/* A large ball inside a polytope: the simplex method with four rows. */
#ifndef SHAPES_HULL_INNER_BALL_H
#define SHAPES_HULL_INNER_BALL_H

#include "shapes/hull/hull.h"

typedef enum AbutInnerBall {
	ABUT_INNER_BALL_FOUND,
	ABUT_INNER_BALL_UNBOUNDED, /* balls of any size fit */
	ABUT_INNER_BALL_FAILED,    /* the pivots broke down in rounding */
} AbutInnerBall;

/* Computes the centre and radius of a ball in { p : A p <= b }, A (m x 3) with rows of unit length. The ball is at
 * least half as large as the largest one. For a flat set the radius is zero to rounding; for an empty set it is
 * negative: minus the least violation. */
AbutInnerBall abut_inner_ball(int m, const double *A, const double *b, double centre[3], double *radius);

#endif
