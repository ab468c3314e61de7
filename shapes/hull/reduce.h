/* Convex polytopes of fewer faces: around a hull, or within it. `watch` (may be NULL) can stop the work. */
#ifndef SHAPES_HULL_REDUCE_H
#define SHAPES_HULL_REDUCE_H

#include "shapes/hull/hull.h"

/* At most `most` >= 4 halfspaces (*m rows of unit length, *A m x 3 and *b, each to be freed) that hold the n points,
 * whose hull is `hull`; `*distance` is the Hausdorff distance of the hull to what they enclose. */
AbutStatus abut_hull_reduce_outer(const AbutHull *hull, int n, const double *points, int most, int *m, double **A,
                                  double **b, double *distance, const AbutWatch *watch, AbutError *error);

/* The hull of some of the hull's vertices that has at most `most` >= 4 faces, coplanar to `tolerance`. */
AbutStatus abut_hull_reduce_inner(const AbutHull *hull, int most, double tolerance, AbutHull **out, double *distance,
                                  const AbutWatch *watch, AbutError *error);

#endif
