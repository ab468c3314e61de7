/* Improves the conditioning of the rows of second-order cones by Lorentz boosts, for thin shapes. */
#pragma once

#include "abut/shape.h"

/* Transforms the rows of each second-order cone whose slack s at the shape's centre is close to the boundary of the
 * cone. Afterwards this slack lies on the cone's axis. The set and its scaling stay the same, to rounding. */
void abut_shape_boost(AbutShape *shape);
