/* Products with a system that has not been factorised, eight columns at once. Tested in
 * tests/solver/test_block_system.c.
 */
#include <string.h>

#include "base/lane_algebra.h"
#include "solver/block_system.h"

/* target -= block source */
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
