/* Computes the nearest points of any two bounded sides, and solves their equations. */
#pragma once

#include <stdbool.h>

#include "collision/manifold/manifold_parts.h"
#include "solver/lcp/small_lu.h"

/* Makes the one contact point, whatever its gap, and the normal. */
void abut_manifold_near(const AbutManifoldSide side[2], AbutManifold *out);

/* The factorised matrix for (dn, dD, dt_0, dt_1) of collision/manifold/near.c. Its rows are three for q_1 - q_0 - D n,
 * one for |n|, and one for each side with a line. */
typedef struct AbutManifoldNearSystem {
	int m, line[2]; /* m: number of rows; line: row and column of each side's line, or -1 */
	int pivots[6];
	double K[36];
} AbutManifoldNearSystem;

/* Factorises the matrix. `u` of a side without a line is zero. Returns false if the points are not unique. */
bool abut_manifold_near_factorise(const double n[3], double D, const double *const u[2], const double *const bend[2],
                                  AbutManifoldNearSystem *out);
