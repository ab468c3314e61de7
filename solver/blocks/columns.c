/* Multiplies a block system with eight columns at once, and solves for eight more right-hand sides with the factors
 * that solver/blocks/system.c leaves. For each position k in the order of elimination, D_k is the diagonal block and
 * L_jk a block below it. U_kj is D_k^-1 times a block to its right. The solution takes the steps
 *
 *     F_k:  x_k <- D_k^-1 x_k,    x_j <- x_j - L_jk x_k      (all j later than k; k from the first to the last)
 *     B_k:  x_k <- x_k - sum_j U_kj x_j                      (k from the last to the first)
 *
 * The inverse of the transposed matrix is F_0' .. F_n' B_n' .. B_0': the transposed steps in reverse. D_k^-1 is stored
 * as the steps of its elimination: x_p <- s_pp x_p, then x_r <- x_r - s_pr x_p. Tested in
 * tests/solver/test_block_system.c. */
#include "solver/blocks/columns.h"

#include <string.h>

#include "base/lane_algebra.h"

/* Subtracts block source, or (`transposed`) block' source, from target. The block is 6 x 6; source and target have six
 * rows of eight columns. The six sums are local, so that the compiler knows they do not overlap the inputs. */
ALWAYS_INLINE void subtract(bool transposed, const double *block, AbutLanes *target, const AbutLanes *source)
{
	AbutLanes sum[6];
	memcpy(sum, target, sizeof sum);
	for (int q = 0; q < 6; q++) {
		for (int r = 0; r < 6; r++) {
			const double entry = transposed ? block[q * ABUT_BLOCK_ROW + r] : block[r * ABUT_BLOCK_ROW + q];
			abut_lanes_add(sum[r], -entry, source[q]);
		}
	}
	memcpy(target, sum, sizeof sum);
}

/* Returns the six rows of the body at a position. */
ALWAYS_INLINE AbutLanes *rows_of(const AbutBlockSystem *system, AbutLanes *X, int position)
{
	return &X[(long)6 * system->pattern->body_at[position]];
}

ALWAYS_INLINE void scale(AbutLanes x, double factor)
{
	for (int l = 0; l < ABUT_LANES; l++) {
		x[l] *= factor;
	}
}

/* Replaces x by D_k^-1 x, or (`transposed`) by D_k'^-1 x. */
ALWAYS_INLINE void apply_inverse(bool transposed, const double *steps, AbutLanes *x)
{
	AbutLanes own[6];
	memcpy(own, x, sizeof own);
#pragma GCC unroll 6
	for (int k = 0; k < 6; k++) {
		const int p = transposed ? 5 - k : k;
		const double *s = &steps[p * ABUT_BLOCK_ROW];
		if (!transposed) {
			scale(own[p], s[p]);
		}
#pragma GCC unroll 6
		for (int r = 0; r < 6; r++) {
			if (r != p) {
				abut_lanes_add(own[transposed ? p : r], -s[r], own[transposed ? r : p]);
			}
		}
		if (transposed) {
			scale(own[p], s[p]);
		}
	}
	memcpy(x, own, sizeof own);
}

ALWAYS_INLINE void product(const AbutBlockSystem *system, bool transposed, const AbutLanes *X, AbutLanes *out)
{
	const AbutBlockPattern *pattern = system->pattern;
	for (int k = 0; k < pattern->n; k++) {
		const long row = (long)6 * pattern->body_at[k];
		subtract(transposed, abut_block_at(system, abut_block_diagonal(pattern, k)), &out[row], &X[row]);
		for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
			const long column = (long)6 * pattern->body_at[pattern->next[e]];
			const double *upper = abut_block_at(system, abut_block_entry(k, e)),
			             *lower = upper + ABUT_BLOCK_SIZE;
			subtract(transposed, transposed ? lower : upper, &out[row], &X[column]);
			subtract(transposed, transposed ? upper : lower, &out[column], &X[row]);
		}
	}
}

ABUT_CLONES void abut_block_system_subtract(const AbutBlockSystem *system, bool transposed, const AbutLanes *X,
                                            AbutLanes *out)
{
	if (transposed) {
		product(system, true, X, out);
	} else {
		product(system, false, X, out);
	}
}

ABUT_CLONES void abut_block_system_solve_again(const AbutBlockSystem *system, AbutLanes *X)
{
	const AbutBlockPattern *pattern = system->pattern;
	for (int k = 0; k < pattern->n; k++) {
		apply_inverse(false, abut_block_at(system, abut_block_diagonal(pattern, k)), rows_of(system, X, k));
		for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
			subtract(false, abut_block_at(system, abut_block_entry(k, e) + 1),
			         rows_of(system, X, pattern->next[e]), rows_of(system, X, k));
		}
	}
	for (int k = pattern->n - 1; k >= 0; k--) {
		for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
			subtract(false, abut_block_at(system, abut_block_entry(k, e)), rows_of(system, X, k),
			         rows_of(system, X, pattern->next[e]));
		}
	}
}

ABUT_CLONES void abut_block_system_solve_transposed(const AbutBlockSystem *system, AbutLanes *X)
{
	const AbutBlockPattern *pattern = system->pattern;
	for (int k = 0; k < pattern->n; k++) {
		for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
			subtract(true, abut_block_at(system, abut_block_entry(k, e)),
			         rows_of(system, X, pattern->next[e]), rows_of(system, X, k));
		}
	}
	for (int k = pattern->n - 1; k >= 0; k--) {
		for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
			subtract(true, abut_block_at(system, abut_block_entry(k, e) + 1), rows_of(system, X, k),
			         rows_of(system, X, pattern->next[e]));
		}
		apply_inverse(true, abut_block_at(system, abut_block_diagonal(pattern, k)), rows_of(system, X, k));
	}
}
