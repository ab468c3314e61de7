/* Bounds of how far a shape reaches, where its furthest points are convex programs: from furthest points that were
 * found along directions all round when it was made. */
#ifndef SHAPES_CAGE_H
#define SHAPES_CAGE_H

#include <stdbool.h>

#include "abut/shape.h"

enum {
	ABUT_CAGE_STEPS = 8, /* along an edge of the octahedron of directions */
	ABUT_CAGE_SIDE = 2 * ABUT_CAGE_STEPS + 1,
	ABUT_CAGE_DOUBLES = 1 + 4 * 2 * ABUT_CAGE_SIDE * ABUT_CAGE_SIDE /* 18 kB */
};

/* Of a shape that is complete: finds the points, in memory that abut_shape_destroy frees. Leaves it without a cage
 * where one is not found, where its support function is closed, or where there is no memory. */
void abut_cage_fill(AbutShape *shape);

/* lower <= support function <= upper along a unit direction, both in the own frame, some 0.5 % of the size apart where
 * the shape is round. False without a cage. */
bool abut_cage_bounds(const AbutShape *shape, const double u[3], double *lower, double *upper);

#endif
