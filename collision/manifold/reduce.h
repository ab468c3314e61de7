/* Chooses up to four of many contact points. */
#pragma once

#include "collision/manifold/shape.h"

/* Chooses up to four of n points (n x 3) whose gap, normal . p - offset, is at most `margin`. These are the deepest
 * point, the point furthest from it, and on either side the point that spans the largest triangle with these two. If
 * all gaps are nearly equal, the first point counts as the deepest, so that the choice does not depend on rounding.
 * Returns the number of chosen points. */
int abut_manifold_reduce(int n, const double *points, const double normal[3], double offset, double margin,
                         int chosen[ABUT_MANIFOLD_POINTS]);
