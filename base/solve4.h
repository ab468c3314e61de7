/* Systems of four unknowns with many right-hand sides, in place: rows of T (4, `stride` apart, `width` used) become the
 * solution of M X = T. M is overwritten. False when a pivot is zero or not finite. */
#ifndef BASE_SOLVE4_H
#define BASE_SOLVE4_H

#include <math.h>
#include <stdbool.h>

#include "base/clones.h"

/* For symmetric positive definite M: without pivoting. */
ALWAYS_INLINE bool abut_solve4_definite(int width, int stride, double M[4][4], double *T)
{
	for (int p = 0; p < 4; p++) {
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

/* For any M: with row pivoting. */
ALWAYS_INLINE bool abut_solve4(int width, int stride, double M[4][4], double *T)
{
	for (int p = 0; p < 4; p++) {
		int best = p;
		for (int r = p + 1; r < 4; r++) {
			best = fabs(M[r][p]) > fabs(M[best][p]) ? r : best;
		}
		if (best != p) {
			for (int c = p; c < 4; c++) {
				const double swap = M[p][c];
				M[p][c] = M[best][c];
				M[best][c] = swap;
			}
			for (int c = 0; c < width; c++) {
				const double swap = T[p * stride + c];
				T[p * stride + c] = T[best * stride + c];
				T[best * stride + c] = swap;
			}
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
