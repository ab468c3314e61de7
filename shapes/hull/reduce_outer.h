/* Finds polytopes with fewer faces around a hull, by adding halfspaces where the error is largest. */
#pragma once

#include "shapes/hull/hull.h"

/* Halfspaces A p <= b. */
typedef struct AbutHalfspaces {
	int m;
	double *A; /* (m x 3) rows of unit length, to be freed */
	double *b; /* (m) offsets, m; to be freed */
} AbutHalfspaces;

/* Finds at most `most` >= 4 halfspaces that contain the n points, whose hull is `hull`. `*distance` receives the
 * Hausdorff distance (m) between the hull and the polytope of the halfspaces. */
AbutStatus abut_hull_reduce_outer(const AbutHull *hull, int n, const double *points, int most, AbutHalfspaces *out,
                                  double *distance, const AbutWatch *watch, AbutError *error);
