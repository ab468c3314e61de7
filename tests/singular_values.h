/* Computes singular values of small matrices by one-sided Jacobi rotations. */
#pragma once

#include <math.h>

/* Computes the n singular values of A (m x n, column-major, overwritten), largest first. Rotates pairs of columns until
 * all are orthogonal; their lengths are the values. */
static inline void singular_values(int m, int n, double *A, double *values)
{
	for (int sweep = 0; sweep < 60; sweep++) {
		for (int p = 0; p < n; p++) {
			for (int q = p + 1; q < n; q++) {
				double *a = &A[p * m], *b = &A[q * m], aa = 0.0, bb = 0.0, ab = 0.0;
				for (int i = 0; i < m; i++) {
					aa += a[i] * a[i];
					bb += b[i] * b[i];
					ab += a[i] * b[i];
				}
				const double angle = 0.5 * atan2(2.0 * ab, aa - bb), c = cos(angle), s = sin(angle);
				for (int i = 0; i < m; i++) {
					const double x = a[i], y = b[i];
					a[i] = c * x + s * y;
					b[i] = c * y - s * x;
				}
			}
		}
	}
	for (int j = 0; j < n; j++) { /* aa >= bb after each rotation, so that the columns are sorted */
		values[j] = 0.0;
		for (int i = 0; i < m; i++) {
			values[j] = hypot(values[j], A[j * m + i]);
		}
	}
}
