/* Shapes with other sizes (AbutShape.size), and the derivatives of a shape's rows (1) by its sizes. */
#ifndef SHAPES_CHANGE_SIZE_H
#define SHAPES_CHANGE_SIZE_H

#include <stdbool.h>

#include "abut/shape.h"

typedef struct AbutShapeChange {
	double A[3], d, h; /* of one row, per metre of the size */
} AbutShapeChange;

/* Returns how many sizes (entries of AbutShape.size) the kind has. */
int abut_shape_size_count(AbutShapeKind kind);

/* Returns the derivative of row `row` by size `size` (below the count), in the frame in which the shape is given. B
 * does not change with any size. */
AbutShapeChange abut_shape_row_by_size(const AbutShape *shape, int row, int size);

/* Returns the derivative of the outer radius by a size; if two sizes make it equally large, by the first. */
double abut_shape_outer_radius_by_size(const AbutShape *shape, int size);

/* Creates a shape like `shape` with other sizes (as many as abut_shape_size_count returns). Its own frame and scaling
 * centre stay; rows and radii are those of the new sizes, as abut_shape_row_by_size differentiates them. Refuses what
 * the constructors refuse; ABUT_ERROR_UNSUPPORTED for kinds without sizes. */
AbutStatus abut_shape_resize(const AbutShape *shape, const double size[3], AbutShape **out, AbutError *error);

#endif
