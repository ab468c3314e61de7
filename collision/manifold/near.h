/* The nearest points of any two bounded sides, and their equations. */
#ifndef COLLISION_MANIFOLD_NEAR_H
#define COLLISION_MANIFOLD_NEAR_H

#include <stdbool.h>

#include "collision/manifold/manifold_parts.h"
#include "solver/lcp/small_lu.h"

/* Makes the one point, whatever its gap, and the normal. */
void abut_manifold_near(const AbutManifoldSide side[2], AbutManifold *out);

/* The system for (dn, dD, dt_0, dt_1), the last two only on lines: three rows of q_1 - q_0 - D n, one of |n|, one for
 * each line. Factorised. */
typedef struct AbutManifoldNearSystem {
	int m, line[2]; /* row and column of each line, or -1 */
	int pivots[6];
	double K[36];
} AbutManifoldNearSystem;

/* Factorises the system; `u` is zero without a line. Returns false if the points are not unique. */
bool abut_manifold_near_factorise(const double n[3], double D, const double *const u[2], const double *const bend[2],
                                  AbutManifoldNearSystem *out);

#endif
