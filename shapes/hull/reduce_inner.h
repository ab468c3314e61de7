/* Computes hulls of some of a hull's vertices. */
#pragma once

#include "shapes/hull/hull.h"

/* Finds the hull of some of the hull's vertices with at most `most` >= 4 faces, which are coplanar to `tolerance`. */
AbutStatus abut_hull_reduce_inner(const AbutHull *hull, int most, double tolerance, AbutHull **out, double *distance,
                                  const AbutWatch *watch, AbutError *error);
