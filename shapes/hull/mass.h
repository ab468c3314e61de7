/* Computes mass properties of convex hulls, and of hulls padded by a ball. */
#pragma once

#include "abut/shape.h"
#include "shapes/hull/hull.h"

/* Returns the mass properties of the Minkowski sum of the hull and a ball. `radius` (m) may be 0. Exact to rounding. */
AbutMassProperties abut_mass_hull(const AbutHull *hull, double radius);
