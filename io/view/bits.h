/* Columns of integers in few bits, for the replay page (io/view/src/bits.js reads them).
 *
 * Bits go into bytes from the lowest on. A column is split into blocks of 128 values. A block starts with 2 bits, its
 * order 0, 1 or 2: it holds the values minus 0, minus the last value, or minus the line through the last two (0 before
 * the first value, the first alone before the second). A remainder r becomes u = 2 r, or -2 r - 1 when negative. Then 5
 * bits: 0 when all are zero, and nothing follows; otherwise k + 1, and each u is a Rice code: q = u >> k ones and a
 * zero, then the lowest k bits of u; from q = 24 on 24 ones alone, then all 32 bits. */
#ifndef IO_VIEW_BITS_H
#define IO_VIEW_BITS_H

#include "io/text/bytes.h"

enum { ABUT_BITS_BLOCK = 128, ABUT_BITS_MOST_ONES = 24 };

typedef struct AbutBits {
	AbutBytes bytes;
	uint64_t pending; /* bits that do not fill a byte yet */
	int n_pending;
} AbutBits;

/* Appends a column of values from -2^28 to 2^28; `bits` starts as all zero. */
void abut_bits_column(AbutBits *bits, const int32_t *values, size_t n);
/* Ends the last byte. */
void abut_bits_finish(AbutBits *bits);

#endif
