/* Support functions in the shape's own frame, for inner loops. */
#ifndef SHAPES_SUPPORT_H
#define SHAPES_SUPPORT_H

#include "abut/shape.h"

/* `point` (3): a point of the shape that is furthest along u, both in the own frame; |u| is about 1. Not for
 * halfspaces, whose furthest point exists along their normal alone. */
void abut_shape_support_own(const AbutShape *shape, const double u[3], double point[3]);

#endif
