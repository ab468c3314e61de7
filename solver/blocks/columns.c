/* Products of a block system with eight columns at once, and more solutions with the factors that
 * solver/blocks/system.c leaves: for each position k, in the order of elimination,
 *
 *     F_k:  x_k <- D_k^-1 x_k,    x_j <- x_j - L_jk x_k      (j later than k)
 *     B_k:  x_k <- x_k - sum_j U_kj x_j                      (from the last k to the first; U is D^-1 times the row)
 *
 * and with the transposed matrix, whose inverse is F_0' .. F_n' B_n' .. B_0', by the same steps the other way round.
 * D_k^-1 is kept as the steps of its elimination: x_p <- s_pp x_p, then x_r <- x_r - s_pr x_p. Tested in
 * tests/solver/test_block_system.c. */
#include "solver/blocks/columns.h"

#include <string.h>

#include "base/lane_algebra.h"

/* target -= block source, a 6 x 6 block with six rows of eight columns. Six sums that do not wait for each other, and
 * that the compiler knows to be apart from what they are made of. */
ALWAYS_INLINE void subtract(const double *block, AbutLanes *target, const AbutLanes *source)
{
	AbutLanes sum[6];
	memcpy(sum, target, sizeof sum);
	for (int q = 0; q < 6; q++) {
		for (int r = 0; r < 6; r++) {
			abut_lanes_add(sum[r], -block[r * ABUT_BLOCK_ROW + q], source[q]);
		}
	}
	memcpy(target, sum, sizeof sum);
}

/* target -= block' source */
ALWAYS_INLINE void subtract_transposed(const double *block, AbutLanes *target, const AbutLanes *source)
{
	AbutLanes sum[6];
	memcpy(sum, target, sizeof sum);
	for (int q = 0; q < 6; q++) {
		for (int r = 0; r < 6; r++) {
			abut_lanes_add(sum[r], -block[q * ABUT_BLOCK_ROW + r], source[q]);
		}
	}
	memcpy(target, sum, sizeof sum);
}

ABUT_CLONES void abut_block_system_subtract(const AbutBlockSystem *system, bool transposed, const AbutLanes *X,
                                            AbutLanes *out)
{
	const AbutBlockPattern *pattern = system->pattern;
	for (int k = 0; k < pattern->n; k++) {
		const long row = (long)6 * pattern->body_at[k];
		const double *own = &system->blocks[(long)abut_block_diagonal(pattern, k) * ABUT_BLOCK_SIZE];
		if (transposed) {
			subtract_transposed(own, &out[row], &X[row]);
		} else {
			subtract(own, &out[row], &X[row]);
		}
		for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
			const long column = (long)6 * pattern->body_at[pattern->next[e]];
			const double *upper = &system->blocks[(long)abut_block_entry(k, e) * ABUT_BLOCK_SIZE];
			const double *lower = upper + ABUT_BLOCK_SIZE;
			if (transposed) {
				subtract_transposed(upper, &out[column], &X[row]);
				subtract_transposed(lower, &out[row], &X[column]);
			} else {
				subtract(upper, &out[row], &X[column]);
				subtract(lower, &out[column], &X[row]);
			}
		}
	}
}

/* Six rows: those of the body at a position. */
ALWAYS_INLINE AbutLanes *rows_of(const AbutBlockSystem *system, AbutLanes *X, int position)
{
	return &X[(long)6 * system->pattern->body_at[position]];
}

ALWAYS_INLINE const double *block_at(const AbutBlockSystem *system, int block)
{
	return &system->blocks[(long)block * ABUT_BLOCK_SIZE];
}

ALWAYS_INLINE void scale(AbutLanes x, double factor)
{
	for (int l = 0; l < ABUT_LANES; l++) {
		x[l] *= factor;
	}
}

ALWAYS_INLINE void apply_inverse(const double *steps, AbutLanes *x)
{
	AbutLanes own[6];
	memcpy(own, x, sizeof own);
#pragma GCC unroll 6
	for (int p = 0; p < 6; p++) {
		const double *s = &steps[p * ABUT_BLOCK_ROW];
		scale(own[p], s[p]);
#pragma GCC unroll 6
		for (int r = 0; r < 6; r++) {
			if (r != p) {
				abut_lanes_add(own[r], -s[r], own[p]);
			}
		}
	}
	memcpy(x, own, sizeof own);
}

ALWAYS_INLINE void apply_inverse_transposed(const double *steps, AbutLanes *x)
{
	AbutLanes own[6];
	memcpy(own, x, sizeof own);
#pragma GCC unroll 6
	for (int p = 5; p >= 0; p--) {
		const double *s = &steps[p * ABUT_BLOCK_ROW];
#pragma GCC unroll 6
		for (int r = 0; r < 6; r++) {
			if (r != p) {
				abut_lanes_add(own[p], -s[r], own[r]);
			}
		}
		scale(own[p], s[p]);
	}
	memcpy(x, own, sizeof own);
}

ABUT_CLONES void abut_block_system_solve_again(const AbutBlockSystem *system, AbutLanes *X)
{
	const AbutBlockPattern *pattern = system->pattern;
	for (int k = 0; k < pattern->n; k++) {
		apply_inverse(block_at(system, abut_block_diagonal(pattern, k)), rows_of(system, X, k));
		for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
			subtract(block_at(system, abut_block_entry(k, e) + 1), rows_of(system, X, pattern->next[e]),
			         rows_of(system, X, k));
		}
	}
	for (int k = pattern->n - 1; k >= 0; k--) {
		for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
			subtract(block_at(system, abut_block_entry(k, e)), rows_of(system, X, k),
			         rows_of(system, X, pattern->next[e]));
		}
	}
}

ABUT_CLONES void abut_block_system_solve_transposed(const AbutBlockSystem *system, AbutLanes *X)
{
	const AbutBlockPattern *pattern = system->pattern;
	for (int k = 0; k < pattern->n; k++) {
		for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
			subtract_transposed(block_at(system, abut_block_entry(k, e)),
			                    rows_of(system, X, pattern->next[e]), rows_of(system, X, k));
		}
	}
	for (int k = pattern->n - 1; k >= 0; k--) {
		for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
			subtract_transposed(block_at(system, abut_block_entry(k, e) + 1), rows_of(system, X, k),
			                    rows_of(system, X, pattern->next[e]));
		}
		apply_inverse_transposed(block_at(system, abut_block_diagonal(pattern, k)), rows_of(system, X, k));
	}
}
