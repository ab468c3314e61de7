/* Bounds of the support function, for shapes whose furthest points are convex programs. */
#ifndef SHAPES_SUPPORT_BOUNDS_H
#define SHAPES_SUPPORT_BOUNDS_H

#include "abut/shape.h"

/* Finds the cage of a complete shape: furthest points along directions all round, in memory that abut_shape_destroy
 * frees. The shape stays without a cage if its support function is closed, if a point is not found, or without memory.
 */
void abut_cage_fill(AbutShape *shape);

/* Computes bounds of the support function along a direction of length 1, cheaply: the function itself if it is closed;
 * otherwise from the balls in and about the shape, its parts and its cage. */
void abut_shape_support_bounds(const AbutShape *shape, const double direction[3], double *lower, double *upper);

#endif
