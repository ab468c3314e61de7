/* Smooth shapes from inside: the one convex program that answers where they reach, and what is made of it. */
#ifndef SHAPES_QUERY_SMOOTH_REACH_H
#define SHAPES_QUERY_SMOOTH_REACH_H

#include <stdbool.h>

#include "abut/smooth.h"

/* The furthest point of a shape, in its own frame, along a unit direction or on a ray. */
typedef struct AbutSmoothReach {
	double point[3];
	double eps[ABUT_SMOOTH_EPS_MAX];
	double lambda[ABUT_SMOOTH_ROWS_MAX]; /* sum of lambda_i dg_i/dp = direction, no entry negative */
	double value;                        /* direction . (point - centre), or how far along the ray; m */
	double error;                        /* m, of value */
	double bend[9];                      /* d point / d direction, symmetric (m); on a ray undefined */
} AbutSmoothReach;

/* Along a unit direction, of the shape scaled by alpha. False when a function is not finite on the way, or when no
 * optimum is found to 1e-9 of the size. */
bool abut_smooth_furthest(const AbutSmooth *f, const double direction[3], double alpha, AbutSmoothReach *out);

/* Where the ray from the centre along a unit direction leaves the shape. */
bool abut_smooth_on_ray(const AbutSmooth *f, const double direction[3], AbutSmoothReach *out);

#endif
