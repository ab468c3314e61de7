/* A shape as it would be with other sizes (AbutShape.size). */
#ifndef SHAPES_CHANGE_RESIZE_H
#define SHAPES_CHANGE_RESIZE_H

#include "abut/shape.h"

/* A new shape with these sizes (as many as abut_shape_size_count tells), where the old one is: own frame and scaling
 * centre stay, rows and radii are those of the new sizes, as abut_shape_row_by_size differentiates them. Refused as the
 * constructors do; ABUT_ERROR_UNSUPPORTED for kinds without sizes. */
AbutStatus abut_shape_resize(const AbutShape *shape, const double size[3], AbutShape **out, AbutError *error);

#endif
