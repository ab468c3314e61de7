/* Systems of four unknowns with many right-hand sides, in place: rows of T (4, `stride` apart, `width` used) become the
 * solution of M X = T. M is overwritten. False when a pivot is zero or not finite. */
#ifndef BASE_SOLVE4_H
#define BASE_SOLVE4_H

#include <math.h>
#include <stdbool.h>

#include "base/clones.h"

ALWAYS_INLINE void abut_swap_rows(int first, int n, double *a, double *b)
{
	for (int c = first; c < n; c++) {
		const double swap = a[c];
		a[c] = b[c];
		b[c] = swap;
	}
}

/* Gaussian elimination, with row pivoting unless M is known to be `definite` (symmetric and positive). */
ALWAYS_INLINE bool abut_solve4(int width, int stride, bool definite, double M[4][4], double *T)
{
	for (int p = 0; p < 4; p++) {
		int best = p;
		for (int r = p + 1; !definite && r < 4; r++) {
			best = fabs(M[r][p]) > fabs(M[best][p]) ? r : best;
		}
		if (best != p) {
			abut_swap_rows(p, 4, M[p], M[best]);
			abut_swap_rows(0, width, &T[p * stride], &T[best * stride]);
		}
		const double inverse = 1.0 / M[p][p];
		if (!isfinite(inverse)) {
			return false;
		}
		for (int r = p + 1; r < 4; r++) {
			const double factor = M[r][p] * inverse;
			for (int c = p + 1; c < 4; c++) {
				M[r][c] -= factor * M[p][c];
			}
			for (int c = 0; c < width; c++) {
				T[r * stride + c] -= factor * T[p * stride + c];
			}
		}
		M[p][p] = inverse;
	}
	for (int p = 3; p >= 0; p--) {
		for (int q = p + 1; q < 4; q++) {
			for (int c = 0; c < width; c++) {
				T[p * stride + c] -= M[p][q] * T[q * stride + c];
			}
		}
		for (int c = 0; c < width; c++) {
			T[p * stride + c] *= M[p][p];
		}
	}
	return true;
}

#endif
