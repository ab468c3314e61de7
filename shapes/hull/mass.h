/* Computes mass properties of convex hulls, and of hulls padded by a ball. */
#ifndef SHAPES_HULL_MASS_H
#define SHAPES_HULL_MASS_H

#include "abut/shape.h"
#include "shapes/hull/hull.h"

/* Returns the mass properties of the Minkowski sum of the hull and a ball. `radius` (m) may be 0. Exact to rounding. */
AbutMassProperties abut_mass_hull(const AbutHull *hull, double radius);

#endif
