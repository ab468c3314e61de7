/* Linear systems of four unknowns with many right-hand sides, in place: the rows of T (4, `stride` apart, `width` used)
 * become the solution of M X = T. M is overwritten by its factors. Returns false if a pivot is zero or not finite. */
#pragma once

#include <math.h>
#include <stdbool.h>

#include "base/clones.h"

/* Swaps two rows of M and their entries in `order`. */
ALWAYS_INLINE void abut_swap_rows4(double M[4][4], int order[4], int a, int b)
{
	for (int c = 0; c < 4; c++) {
		const double swap = M[a][c];
		M[a][c] = M[b][c];
		M[b][c] = swap;
	}
	const int swap = order[a];
	order[a] = order[b];
	order[b] = swap;
}

/* Replaces M by its factors: U above the diagonal, inverse pivots on it, L below it; row i of L U is row order[i] of M.
 */
ALWAYS_INLINE bool abut_factorise4(bool definite, double M[4][4], int order[4])
{
	for (int p = 0; p < 4; p++) {
		order[p] = p;
	}
	for (int p = 0; p < 4; p++) {
		int best = p;
		for (int r = p + 1; !definite && r < 4; r++) {
			best = fabs(M[r][p]) > fabs(M[best][p]) ? r : best;
		}
		if (best != p) {
			abut_swap_rows4(M, order, p, best);
		}
		const double inverse = 1.0 / M[p][p];
		if (!isfinite(inverse)) {
			return false;
		}
		for (int r = p + 1; r < 4; r++) {
			M[r][p] *= inverse;
			for (int c = p + 1; c < 4; c++) {
				M[r][c] -= M[r][p] * M[p][c];
			}
		}
		M[p][p] = inverse;
	}
	return true;
}

/* Solves for the right-hand sides, column by column, all four rows at a time. */
ALWAYS_INLINE void abut_substitute4(int width, int stride, bool definite, double M[4][4], const int order[4], double *T)
{
	const double *row[4];
	for (int p = 0; p < 4; p++) {
		row[p] = &T[(definite ? p : order[p]) * stride];
	}
	for (int c = 0; c < width; c++) {
		double x0 = row[0][c], x1 = row[1][c], x2 = row[2][c], x3 = row[3][c];
		x1 = x1 - M[1][0] * x0;
		x2 = x2 - M[2][0] * x0 - M[2][1] * x1;
		x3 = x3 - M[3][0] * x0 - M[3][1] * x1 - M[3][2] * x2;
		x3 = x3 * M[3][3];
		x2 = (x2 - M[2][3] * x3) * M[2][2];
		x1 = (x1 - M[1][2] * x2 - M[1][3] * x3) * M[1][1];
		x0 = (x0 - M[0][1] * x1 - M[0][2] * x2 - M[0][3] * x3) * M[0][0];
		T[c] = x0;
		T[stride + c] = x1;
		T[2 * stride + c] = x2;
		T[3 * stride + c] = x3;
	}
}

/* Solves by Gaussian elimination, with row pivoting unless M is `definite` (symmetric positive definite). */
ALWAYS_INLINE bool abut_solve4(int width, int stride, bool definite, double M[4][4], double *T)
{
	int order[4];
	if (!abut_factorise4(definite, M, order)) {
		return false;
	}
	abut_substitute4(width, stride, definite, M, order, T);
	return true;
}
