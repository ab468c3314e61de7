#include "solver/small_lu.h"

#include <math.h>
#include <stddef.h>

/* The last row below k in which the column is not zero; k when there is none. What is zero stays so: matrices of many
 * bodies are mostly that. */
static int end_of(int m, const double *column, int k)
{
	int last = m - 1;
	while (last > k && column[last] == 0.0) {
		last--;
	}
	return last;
}

/* other -= factor column, in the rows first to last. */
static void subtract(double *restrict other, const double *restrict column, double factor, int first, int last)
{
	for (int r = first; r <= last; r++) {
		other[r] -= factor * column[r];
	}
}

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
		const int last = end_of(m, column, k);
		for (int r = k + 1; r <= last; r++) {
			column[r] *= inverse;
		}
		for (int c = k + 1; c < m; c++) {
			double *other = &K[(size_t)c * (size_t)m];
			if (other[k] != 0.0) {
				subtract(other, column, other[k], k + 1, last);
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
		const double *column = &K[(size_t)k * (size_t)m];
		if (x[k] != 0.0) {
			subtract(x, column, x[k], k + 1, end_of(m, column, k));
		}
	}
	for (int k = m - 1; k >= 0; k--) {
		x[k] /= K[(size_t)k * (size_t)m + (size_t)k];
		if (x[k] != 0.0) {
			subtract(x, &K[(size_t)k * (size_t)m], x[k], 0, k - 1);
		}
	}
}
