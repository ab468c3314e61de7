/* Creates shapes with other sizes (AbutShape.size), and computes the derivatives of a shape's rows (1) with respect to
 * its sizes. */
#pragma once

#include "abut/shape.h"

typedef struct AbutShapeChange {
	double A[3], d, h; /* derivatives of one row, per metre of the size */
} AbutShapeChange;

/* Returns how many sizes (entries of AbutShape.size) the kind has. */
int abut_shape_size_count(AbutShapeKind kind);

/* Returns the derivative of row `row` with respect to the size of index `size`, in the frame in which the shape is
 * given. B depends on no size. */
AbutShapeChange abut_shape_row_by_size(const AbutShape *shape, int row, int size);

/* Returns the derivative of the outer radius with respect to a size. If two sizes give the same outer radius, only the
 * first one counts. */
double abut_shape_outer_radius_by_size(const AbutShape *shape, int size);

/* Creates a shape like `shape` with other sizes (as many as abut_shape_size_count returns). Its own frame and scaling
 * centre stay the same. Rows and radii are those of the new sizes, consistent with abut_shape_row_by_size. Refuses what
 * the constructors refuse. Returns ABUT_ERROR_UNSUPPORTED for kinds without sizes. */
AbutStatus abut_shape_resize(const AbutShape *shape, const double size[3], AbutShape **out, AbutError *error);
