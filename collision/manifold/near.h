/* The equations of nearest points (collision/manifold/near.c), which their derivative shares. */
#ifndef COLLISION_MANIFOLD_NEAR_H
#define COLLISION_MANIFOLD_NEAR_H

#include "solver/lcp/small_lu.h"

/* For (dn, dD, dt_0, dt_1), of which the last two are there on lines: three rows of q_1 - q_0 - D n, one of |n|, one of
 * each line. Factorised. */
typedef struct AbutManifoldNearSystem {
	int m, line[2]; /* row and column of each line, or -1 */
	int pivots[6];
	double K[36];
} AbutManifoldNearSystem;

/* `u` is zero without a line. False where the points are not unique. */
bool abut_manifold_near_factorise(const double n[3], double D, const double *const u[2], const double *const bend[2],
                                  AbutManifoldNearSystem *out);

#endif
