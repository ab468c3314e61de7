#include "solver/clamped_factor.h"

#include <math.h>
#include <string.h>

void abut_clamped_factor_carve(AbutClampedFactor *factor, int n, AbutArena *arena)
{
	factor->index = abut_arena_take(arena, (size_t)n, sizeof(int));
	factor->L = abut_arena_take(arena, (size_t)n * (size_t)n, sizeof(double));
	factor->row = abut_arena_take(arena, (size_t)n, sizeof(double));
}

void abut_clamped_factor_begin(AbutClampedFactor *factor, int n, const double *A)
{
	factor->n = n;
	factor->A = A;
	factor->m = 0;
}

static double *row_of(const AbutClampedFactor *factor, int k)
{
	return &factor->L[(size_t)k * (size_t)factor->n];
}

/* Four sums: one alone waits for its last addition. */
static double dot(const double *a, const double *b, int n)
{
	double sum[4] = {0.0};
	int i = 0;
	for (; i + 4 <= n; i += 4) {
		for (int j = 0; j < 4; j++) {
			sum[j] += a[i + j] * b[i + j];
		}
	}
	for (; i < n; i++) {
		sum[0] += a[i] * b[i];
	}
	return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* With the next row (l', d): L l = A_Ci and d^2 = A_ii - l.l, which is the Schur complement. */
double abut_clamped_factor_schur(AbutClampedFactor *factor, int i)
{
	const double *a = &factor->A[(size_t)i * (size_t)factor->n];
	double *l = factor->row;
	for (int k = 0; k < factor->m; k++) {
		const double *L = row_of(factor, k);
		l[k] = (a[factor->index[k]] - dot(L, l, k)) / L[k];
	}
	return a[i] - dot(l, l, factor->m);
}

void abut_clamped_factor_append(AbutClampedFactor *factor, int i, double schur)
{
	double *L = row_of(factor, factor->m);
	memcpy(L, factor->row, (size_t)factor->m * sizeof(double));
	L[factor->m] = sqrt(schur);
	factor->index[factor->m++] = i;
}

/* Without its row k, L has one entry above the diagonal in each row from k on: turned away, two columns at a time. */
void abut_clamped_factor_remove(AbutClampedFactor *factor, int k)
{
	factor->m--;
	for (int r = k; r < factor->m; r++) {
		memcpy(row_of(factor, r), row_of(factor, r + 1), (size_t)(r + 2) * sizeof(double));
		factor->index[r] = factor->index[r + 1];
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

void abut_clamped_factor_back(const AbutClampedFactor *factor, double *x)
{
	for (int k = factor->m - 1; k >= 0; k--) {
		const double *L = row_of(factor, k);
		x[k] /= L[k];
		for (int j = 0; j < k; j++) {
			x[j] -= L[j] * x[k];
		}
	}
}

void abut_clamped_factor_solve(const AbutClampedFactor *factor, double *x)
{
	for (int k = 0; k < factor->m; k++) {
		const double *L = row_of(factor, k);
		x[k] = (x[k] - dot(L, x, k)) / L[k];
	}
	abut_clamped_factor_back(factor, x);
}
