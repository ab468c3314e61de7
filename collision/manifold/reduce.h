/* The choice of four contact points. */
#ifndef COLLISION_MANIFOLD_REDUCE_H
#define COLLISION_MANIFOLD_REDUCE_H

#include "collision/manifold/shape.h"

/* Up to four of n points (n x 3), whose gap is normal . p - offset, with a gap of at most `margin`: the deepest, the
 * one furthest from it, and those that span most area with them on either side. Where they are as good as equally deep
 * the first one stands for the deepest, so that the choice does not follow rounding. Returns how many. */
int abut_manifold_reduce(int n, const double *points, const double normal[3], double offset, double margin,
                         int chosen[ABUT_MANIFOLD_POINTS]);

#endif
