/* Convex polytopes with fewer faces, around a hull or inside it. `watch` (may be NULL) can stop the computation. */
#ifndef SHAPES_HULL_REDUCE_H
#define SHAPES_HULL_REDUCE_H

#include "shapes/core/watch.h"
#include "shapes/hull/hull.h"

/* Halfspaces A p <= b. */
typedef struct AbutHalfspaces {
	int m;
	double *A; /* (m x 3) rows of unit length; to be freed */
	double *b; /* (m) to be freed */
} AbutHalfspaces;

/* Finds at most `most` >= 4 halfspaces that contain the n points, whose hull is `hull`. `*distance` is the Hausdorff
 * distance between the hull and the polytope that they enclose. */
AbutStatus abut_hull_reduce_outer(const AbutHull *hull, int n, const double *points, int most, AbutHalfspaces *out,
                                  double *distance, const AbutWatch *watch, AbutError *error);

/* Finds the hull of some of the hull's vertices that has at most `most` >= 4 faces, coplanar to `tolerance`. */
AbutStatus abut_hull_reduce_inner(const AbutHull *hull, int most, double tolerance, AbutHull **out, double *distance,
                                  const AbutWatch *watch, AbutError *error);

#endif
