/* Finds furthest points of smooth shapes along directions and rays by a convex program. */
#pragma once

#include <stdbool.h>

#include "abut/smooth.h"

/* The furthest point of a shape along a unit direction or on a ray, in the shape's own frame. */
typedef struct AbutSmoothReach {
	double point[3];
	double eps[ABUT_SMOOTH_EPS_MAX];
	double lambda[ABUT_SMOOTH_ROWS_MAX]; /* multipliers >= 0 with sum of lambda_i dg_i/dp = direction */
	double value;                        /* direction . (point - centre), or the distance along the ray, m */
	double error;                        /* error of `value`, m */
	double bend[9]; /* derivative of `point` with respect to the direction, symmetric, m; undefined for a ray */
} AbutSmoothReach;

/* Finds the furthest point of the shape scaled by alpha along a unit direction. Returns false if a function is not
 * finite during the search, or if no optimum is found to 1e-9 of the bounding radius. */
bool abut_smooth_furthest(const AbutSmooth *f, const double direction[3], double alpha, AbutSmoothReach *out);

/* Finds the point where the ray from the centre along a unit direction leaves the shape. Returns false as
 * abut_smooth_furthest does. */
bool abut_smooth_on_ray(const AbutSmooth *f, const double direction[3], AbutSmoothReach *out);
