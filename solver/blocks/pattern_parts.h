/* How a pattern is found, by the number of bodies. Both leave the order and the rows in a pattern whose n is set and
 * which has room for that many bodies. */
#ifndef SOLVER_BLOCKS_PATTERN_PARTS_H
#define SOLVER_BLOCKS_PATTERN_PARTS_H

#include <stdbool.h>

#include "solver/blocks/pattern.h"

enum { ABUT_PATTERN_SMALL = 64 }; /* bodies whose sets are one word */

AbutStatus abut_block_pattern_small(AbutBlockPattern *pattern, int n_pairs, const int (*pairs)[2]);
AbutStatus abut_block_pattern_large(AbutBlockPattern *pattern, int n_pairs, const int (*pairs)[2]);

/* Room for `count` integers, whose values are lost where it has to grow. */
AbutStatus abut_integers_room(AbutIntegers *integers, size_t count);
/* Room for the entries of the rows, at next. */
AbutStatus abut_block_pattern_entries_room(AbutBlockPattern *pattern, size_t count);
/* Scratch of the large path. */
size_t abut_block_pattern_large_scratch(int n, int n_pairs);

static inline bool abut_pair_couples(const int pair[2])
{
	return pair[0] >= 0 && pair[1] >= 0 && pair[0] != pair[1];
}

#endif
