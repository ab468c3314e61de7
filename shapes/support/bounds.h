/* Computes bounds of the support function, for shapes whose furthest points need convex programs. */
#pragma once

#include "abut/shape.h"

/* Finds the cage of a complete shape: furthest points in many directions, in memory that abut_shape_destroy frees. The
 * shape gets no usable cage if its support function is closed, if a point is not found, or when out of memory. */
void abut_cage_fill(AbutShape *shape);

/* Computes bounds (m) of the support function along a unit direction at low cost. Both equal the function if it is
 * closed. Otherwise they come from the inner and outer balls, the parts and the cage of the shape. */
void abut_shape_support_bounds(const AbutShape *shape, const double direction[3], double *lower, double *upper);
