/* A run as the bytes that its replay page holds (io/view/src/run.js reads them).
 *
 * The head: 8 bytes "abut-run", the length of a JSON object (4 bytes, lowest first), the object, and zeros up to a
 * multiple of 8. It holds names, shapes and counts, and as `sections` the place of each array that follows, from the
 * end of the head, and its length: [first byte, number of elements]. Arrays are of the machine's own order, which is
 * lowest byte first on all that browsers run on.
 *
 * What moves is rounded to 65536 steps of each column's own range, or to the finest that is of use where that is
 * coarser, and then stands in columns (io/view/bits.h): column = first + step * integer. */
#ifndef IO_VIEW_RUN_H
#define IO_VIEW_RUN_H

#include <stdint.h>
#include <stdio.h>

#include "io/run/read.h"

typedef struct AbutViewBytes {
	uint8_t *bytes; /* owned */
	size_t n;
} AbutViewBytes;

/* Of every `every`-th state, the first and the last among them. */
AbutStatus abut_view_pack(const AbutRunRecord *record, long every, AbutViewBytes *out, AbutError *error);

/* The state, from 0, that is shown as `frame`, of `abut_view_frame_count`. */
long abut_view_state_of_frame(const AbutRunRecord *record, long every, long frame);
long abut_view_frame_count(const AbutRunRecord *record, long every);

#endif
