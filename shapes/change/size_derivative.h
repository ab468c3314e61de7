/* How a shape's rows (1) change with its sizes, AbutShape.size: what constructors make of them, differentiated. */
#ifndef SHAPES_CHANGE_SIZE_DERIVATIVE_H
#define SHAPES_CHANGE_SIZE_DERIVATIVE_H

#include <stdbool.h>

#include "abut/shape.h"

typedef struct AbutShapeChange {
	double A[3], d, h; /* of one row, per metre of the size */
} AbutShapeChange;

/* Sizes that the kind has: entries of AbutShape.size. */
int abut_shape_size_count(AbutShapeKind kind);

/* Row `row` by size `size` (below the count), in the frame that the shape is given in; B does not change with any. */
AbutShapeChange abut_shape_row_by_size(const AbutShape *shape, int row, int size);

/* The outer radius by a size; where two sizes make it equally large, by the first. */
double abut_shape_outer_radius_by_size(const AbutShape *shape, int size);

#endif
