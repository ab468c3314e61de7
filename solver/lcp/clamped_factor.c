/* Updates the factorisation of the clamped part of a matrix when an index enters or leaves. */
#include "solver/lcp/clamped_factor.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"

void abut_clamped_factor_carve(AbutClampedFactor *factor, int n, AbutArena *arena)
{
	factor->index = abut_arena_take(arena, (size_t)n, sizeof(int));
	factor->first = abut_arena_take(arena, (size_t)n, sizeof(int));
	factor->L = abut_arena_take(arena, (size_t)n * (size_t)n, sizeof(double));
	factor->row = abut_arena_take(arena, (size_t)n, sizeof(double));
}

void abut_clamped_factor_begin(AbutClampedFactor *factor, int n, const double *A)
{
	factor->n = n;
	factor->A = A;
	factor->m = 0;
}

ALWAYS_INLINE double *row_of(const AbutClampedFactor *factor, int k)
{
	return &factor->L[(size_t)k * (size_t)factor->n];
}

/* Returns a . b as eight independent sums, which the processor computes in parallel. */
ALWAYS_INLINE double dot(const double *a, const double *b, int n)
{
	double sum[8] = {0.0};
	int i = 0;
	for (; i + 8 <= n; i += 8) {
		for (int j = 0; j < 8; j++) {
			sum[j] += a[i + j] * b[i + j];
		}
	}
	for (; i < n; i++) {
		sum[0] += a[i] * b[i];
	}
	return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/* Computes the next row (l', d) of L: L l = A_Ci, and d^2 = A_ii - l.l is the Schur complement. */
ABUT_CLONES double abut_clamped_factor_schur(AbutClampedFactor *factor, int i)
{
	const double *a = &factor->A[(size_t)i * (size_t)factor->n];
	double *l = factor->row;
	int first = 0;
	while (first < factor->m && a[factor->index[first]] == 0.0) {
		l[first++] = 0.0;
	}
	for (int k = first; k < factor->m; k++) {
		const double *L = row_of(factor, k);
		const int from = factor->first[k] > first ? factor->first[k] : first;
		l[k] = (a[factor->index[k]] - dot(L + from, l + from, k - from)) / L[k];
	}
	factor->row_first = first;
	return a[i] - dot(l + first, l + first, factor->m - first);
}

void abut_clamped_factor_append(AbutClampedFactor *factor, int i, double schur)
{
	double *L = row_of(factor, factor->m);
	memcpy(L, factor->row, (size_t)factor->m * sizeof(double));
	L[factor->m] = sqrt(schur);
	factor->first[factor->m] = factor->row_first;
	factor->index[factor->m++] = i;
}

/* If row k is removed, each later row of L has one entry above the diagonal. Rotations of two adjacent columns make
 * these entries zero. The first nonzero entry of a row moves by at most one column. */
void abut_clamped_factor_remove(AbutClampedFactor *factor, int k)
{
	factor->m--;
	for (int r = k; r < factor->m; r++) {
		memcpy(row_of(factor, r), row_of(factor, r + 1), (size_t)(r + 2) * sizeof(double));
		factor->index[r] = factor->index[r + 1];
		factor->first[r] = factor->first[r + 1] > k ? factor->first[r + 1] - 1 : factor->first[r + 1];
	}
	for (int r = k; r < factor->m; r++) {
		const double *L = row_of(factor, r);
		const double length = hypot(L[r], L[r + 1]), c = L[r] / length, s = L[r + 1] / length;
		for (int q = r; q < factor->m; q++) {
			double *turned = row_of(factor, q);
			const double x = turned[r], y = turned[r + 1];
			turned[r] = c * x + s * y;
			turned[r + 1] = c * y - s * x;
		}
	}
}

ALWAYS_INLINE void back(const AbutClampedFactor *factor, double *restrict x)
{
	for (int k = factor->m - 1; k >= 0; k--) {
		const double *L = row_of(factor, k);
		x[k] /= L[k];
		for (int j = factor->first[k]; j < k; j++) {
			x[j] -= L[j] * x[k];
		}
	}
}

ABUT_CLONES void abut_clamped_factor_back(const AbutClampedFactor *factor, double *x)
{
	back(factor, x);
}

ABUT_CLONES void abut_clamped_factor_solve(const AbutClampedFactor *factor, double *x)
{
	for (int k = 0; k < factor->m; k++) {
		const double *L = row_of(factor, k);
		const int from = factor->first[k];
		x[k] = (x[k] - dot(L + from, x + from, k - from)) / L[k];
	}
	back(factor, x);
}
