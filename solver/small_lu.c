#include "solver/small_lu.h"

#include <math.h>
#include <stddef.h>

bool abut_small_lu_factorise(int m, double *K, int *pivots)
{
	for (int k = 0; k < m; k++) {
		double *column = &K[(size_t)k * (size_t)m];
		int best = k;
		for (int r = k + 1; r < m; r++) {
			best = fabs(column[r]) > fabs(column[best]) ? r : best;
		}
		pivots[k] = best;
		for (int c = 0; c < m; c++) {
			double *other = &K[(size_t)c * (size_t)m];
			const double swap = other[k];
			other[k] = other[best];
			other[best] = swap;
		}
		const double inverse = 1.0 / column[k];
		if (!isfinite(inverse)) {
			return false;
		}
		for (int r = k + 1; r < m; r++) {
			column[r] *= inverse;
		}
		for (int c = k + 1; c < m; c++) {
			double *other = &K[(size_t)c * (size_t)m];
			const double factor = other[k];
			for (int r = k + 1; r < m; r++) {
				other[r] -= factor * column[r];
			}
		}
	}
	return true;
}

void abut_small_lu_solve(int m, const double *K, const int *pivots, double *x)
{
	for (int k = 0; k < m; k++) {
		const double swap = x[k];
		x[k] = x[pivots[k]];
		x[pivots[k]] = swap;
	}
	for (int k = 0; k < m; k++) {
		for (int r = k + 1; r < m; r++) {
			x[r] -= K[(size_t)k * (size_t)m + (size_t)r] * x[k];
		}
	}
	for (int k = m - 1; k >= 0; k--) {
		x[k] /= K[(size_t)k * (size_t)m + (size_t)k];
		for (int r = 0; r < k; r++) {
			x[r] -= K[(size_t)k * (size_t)m + (size_t)r] * x[k];
		}
	}
}
