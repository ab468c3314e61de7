/* Products with a system that has not been factorised, eight columns at once. Tested in
 * tests/solver/test_block_system.c.
 */
#include "solver/blocks/lanes.h"

ABUT_CLONES void abut_block_system_subtract(const AbutBlockSystem *system, bool transposed, const AbutLanes *X,
                                            AbutLanes *out)
{
	const AbutBlockPattern *pattern = system->pattern;
	for (int k = 0; k < pattern->n; k++) {
		const long row = (long)6 * pattern->body_at[k];
		const double *own = &system->blocks[(long)abut_block_diagonal(pattern, k) * ABUT_BLOCK_SIZE];
		if (transposed) {
			abut_block_subtract_transposed(own, &out[row], &X[row]);
		} else {
			abut_block_subtract(own, &out[row], &X[row]);
		}
		for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
			const long column = (long)6 * pattern->body_at[pattern->next[e]];
			const double *upper = &system->blocks[(long)abut_block_entry(k, e) * ABUT_BLOCK_SIZE];
			const double *lower = upper + ABUT_BLOCK_SIZE;
			if (transposed) {
				abut_block_subtract_transposed(upper, &out[column], &X[row]);
				abut_block_subtract_transposed(lower, &out[row], &X[column]);
			} else {
				abut_block_subtract(upper, &out[row], &X[column]);
				abut_block_subtract(lower, &out[column], &X[row]);
			}
		}
	}
}
