/* Changes a shape's scaling centre. */
#pragma once

#include "abut/shape.h"

/* Makes c, a point inside the shape, its scaling centre. The set at alpha = 1 stays the same. The new radii follow from
 * the triangle inequality: they are valid, but not the tightest. */
AbutStatus abut_shape_recentre(AbutShape *shape, const double c[3], AbutError *error);
