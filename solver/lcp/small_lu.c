/* Factorises small matrices by LU with partial pivoting, skipping zeros. */
#include "solver/lcp/small_lu.h"

#include <math.h>
#include <stddef.h>

static inline void subtract(double *restrict other, const double *restrict column, double factor, int first, int last)
{
	for (int r = first; r <= last; r++) {
		other[r] -= factor * column[r];
	}
}

/* Returns the last row below k in which the column is not zero, or k. Matrices of many bodies are mostly zero, and
 * these zeros stay zero. */
static inline int end_of(int m, const double *column, int k)
{
	int last = m - 1;
	while (last > k && column[last] == 0.0) {
		last--;
	}
	return last;
}

void abut_small_subtract_product(int m, const double *K, const double *x, double *left)
{
	for (int k = 0; k < m; k++) {
		if (x[k] != 0.0) {
			subtract(left, &K[(size_t)k * (size_t)m], x[k], 0, m - 1);
		}
	}
}

/* Computes reach[r], the last column that is not zero in the rows up to r. */
static inline void find_reach(int m, const double *K, int *reach)
{
	for (int r = 0; r < m; r++) {
		reach[r] = r;
	}
	for (int c = 0; c < m; c++) {
		int top = 0;
		while (top < c && K[(size_t)c * (size_t)m + (size_t)top] == 0.0) {
			top++;
		}
		reach[top] = c;
	}
	for (int r = 1; r < m; r++) {
		reach[r] = reach[r] > reach[r - 1] ? reach[r] : reach[r - 1];
	}
}

static inline int largest_of(const double *column, int first, int last)
{
	int best = first;
	for (int r = first + 1; r <= last; r++) {
		best = fabs(column[r]) > fabs(column[best]) ? r : best;
	}
	return best;
}

enum { ask_every = 64 }; /* columns between two questions whether to stop */

/* Rows from k on are exchanged only up to `last`. Columns that are zero up to there stay zero, and `reach` stays valid.
 * `reach` is stored in `pivots`: step k writes the k-th entry and reads no earlier one. */
bool abut_small_lu_factorise(int m, double *K, int *pivots, AbutStopper *stop)
{
	find_reach(m, K, pivots);
	for (int k = 0; k < m; k++) {
		double *column = &K[(size_t)k * (size_t)m];
		const int last = end_of(m, column, k), right = pivots[last], best = largest_of(column, k, last);
		pivots[k] = best;
		for (int c = 0; best != k && c <= right; c++) {
			double *other = &K[(size_t)c * (size_t)m];
			const double swap = other[k];
			other[k] = other[best];
			other[best] = swap;
		}
		const double inverse = 1.0 / column[k];
		if (!isfinite(inverse) || (k % ask_every == ask_every - 1 && abut_stopped(stop))) {
			return false;
		}
		for (int r = k + 1; r <= last; r++) {
			column[r] *= inverse;
		}
		for (int c = k + 1; c <= right; c++) {
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
