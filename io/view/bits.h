/* Columns of integers in few bits, for the replay page (io/view/src/bits.js reads them).
 *
 * Bits go into bytes from the lowest on. A column stands in blocks of 128 values. A block starts with 2 bits, its order
 * 0, 1 or 2: what stands in it are the values less 0, less the last value, or less the line through the last two (0
 * before the first value, the first alone before the second). A remainder r becomes u = 2 r, or -2 r - 1 when
 * negative. Then 5 bits: 0 when all are zero, and nothing follows; otherwise k + 1, and each u stands as a Rice code:
 * q = u >> k ones and a zero, then the lowest k bits of u; from q = 24 on 24 ones alone, then all 32 bits. */
#ifndef IO_VIEW_BITS_H
#define IO_VIEW_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ABUT_BITS_BLOCK = 128, ABUT_BITS_MOST_ONES = 24 };

typedef struct AbutBits {
	uint8_t *bytes; /* owned */
	size_t n, capacity;
	uint64_t pending; /* bits that fill no byte yet */
	int n_pending;
	bool failed; /* out of memory: what was written since is lost */
} AbutBits;

/* `bits` starts as all zero. Values are from -2^28 to 2^28. */
void abut_bits_column(AbutBits *bits, const int32_t *values, size_t n);
/* Ends the last byte. False: out of memory, now or before. */
bool abut_bits_finish(AbutBits *bits);
void abut_bits_free(AbutBits *bits);

#endif
