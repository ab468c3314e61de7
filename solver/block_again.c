/* Solving once more with the factors that block_system.c leaves: for each position k, in the order of elimination,
 *
 *     x_k <- D_k^-1 x_k,    x_j <- x_j - L_jk x_k      (j later than k)
 *     x_k <- x_k - sum_j U_kj x_j                      (from the last k to the first; U is D^-1 times the row)
 *
 * D_k^-1 is kept as the steps of its elimination:
 * x_p <- s_pp x_p, then x_r <- x_r - s_pr x_p. Tested in tests/solver/test_block_system.c. */
#include "solver/block_system.h"

/* Six rows of n columns: those of the body at a position. */
static double *rows_of(const AbutBlockSystem *system, int n, double *X, int position)
{
	return &X[(long)6 * system->pattern->body_at[position] * n];
}

static const double *block_at(const AbutBlockSystem *system, int block)
{
	return &system->blocks[(long)block * ABUT_BLOCK_SIZE];
}

/* target -= factor source */
static void subtract(int n, double *restrict target, double factor, const double *restrict source)
{
	for (int c = 0; c < n; c++) {
		target[c] -= factor * source[c];
	}
}

static void scale(int n, double *row, double factor)
{
	for (int c = 0; c < n; c++) {
		row[c] *= factor;
	}
}

static void apply_inverse(const double *steps, int n, double *x)
{
	for (int p = 0; p < 6; p++) {
		const double *s = &steps[p * ABUT_BLOCK_ROW];
		scale(n, &x[p * n], s[p]);
		for (int r = 0; r < 6; r++) {
			if (r != p) {
				subtract(n, &x[r * n], s[r], &x[p * n]);
			}
		}
	}
}

static void subtract_product(const double *block, int n, double *target, const double *source)
{
	for (int r = 0; r < 6; r++) {
		for (int q = 0; q < 6; q++) {
			subtract(n, &target[r * n], block[r * ABUT_BLOCK_ROW + q], &source[q * n]);
		}
	}
}

void abut_block_system_solve_again(const AbutBlockSystem *system, int n_columns, double *X)
{
	const AbutBlockPattern *pattern = system->pattern;
	for (int k = 0; k < pattern->n; k++) {
		apply_inverse(block_at(system, abut_block_diagonal(pattern, k)), n_columns,
		              rows_of(system, n_columns, X, k));
		for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
			subtract_product(block_at(system, abut_block_entry(k, e) + 1), n_columns,
			                 rows_of(system, n_columns, X, pattern->next[e]),
			                 rows_of(system, n_columns, X, k));
		}
	}
	for (int k = pattern->n - 1; k >= 0; k--) {
		for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
			subtract_product(block_at(system, abut_block_entry(k, e)), n_columns,
			                 rows_of(system, n_columns, X, k),
			                 rows_of(system, n_columns, X, pattern->next[e]));
		}
	}
}
