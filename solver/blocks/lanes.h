/* Products of a 6 x 6 block with six rows of eight columns. Six sums that do not wait for each other, and that the
 * compiler knows to be apart from what they are made of. */
#ifndef SOLVER_BLOCKS_LANES_H
#define SOLVER_BLOCKS_LANES_H

#include <string.h>

#include "base/lane_algebra.h"
#include "solver/blocks/system.h"

/* target -= block source */
ALWAYS_INLINE void abut_block_subtract(const double *block, AbutLanes *target, const AbutLanes *source)
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
ALWAYS_INLINE void abut_block_subtract_transposed(const double *block, AbutLanes *target, const AbutLanes *source)
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

#endif
