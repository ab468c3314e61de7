/* Compresses columns of integers for the replay page (io/view/src/bits.js decompresses them).
 *
 * Each byte is filled from its lowest bit. A column is split into blocks of 128 values. A block starts with 2 bits for
 * its order, which predicts each value: 0 by zero, 1 by the last value, 2 by the line through the last two. Values
 * before the column count as zero, except that the second value is predicted by the first one even in order 2.
 *
 * A remainder r, value minus prediction, is stored as u = 2 r if r >= 0, otherwise as u = -2 r - 1. The next 5 bits of
 * the block are 0 if all its u are zero, and nothing follows. Otherwise they are k + 1, and each u follows as a Rice
 * code: q = u >> k ones, a zero, and the lowest k bits of u. If q >= 24, 24 ones and all 32 bits of u follow instead.
 */
#pragma once

#include "io/text/bytes.h"

enum { ABUT_BITS_BLOCK = 128, ABUT_BITS_MOST_ONES = 24 };

typedef struct AbutBits {
	AbutBytes bytes;
	uint64_t pending; /* bits that do not fill a byte yet */
	int n_pending;
} AbutBits;

/* Appends a column of values from -2^28 to 2^28. Before the first column, `bits` must be all zero. */
void abut_bits_column(AbutBits *bits, const int32_t *values, size_t n);
/* Fills the last byte with zeros. */
void abut_bits_finish(AbutBits *bits);
