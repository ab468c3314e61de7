/* The choice of four contact points. */
#ifndef COLLISION_MANIFOLD_REDUCE_H
#define COLLISION_MANIFOLD_REDUCE_H

#include "collision/manifold/shape.h"

/* Chooses up to four of n points (n x 3) with a gap, normal . p - offset, of at most `margin`: the deepest, the one
 * furthest from it, and those that span most area with these two on either side. If the depths are nearly equal, the
 * first point counts as the deepest, so that the choice does not depend on rounding. Returns how many. */
int abut_manifold_reduce(int n, const double *points, const double normal[3], double offset, double margin,
                         int chosen[ABUT_MANIFOLD_POINTS]);

#endif
