/* Packing a run into the bytes of its replay page (io/view/src/run.js reads them).
 *
 * The head: 8 bytes "abut-run", the length of a JSON object (4 bytes, lowest first), the object, and zeros up to a
 * multiple of 8. It holds names, shapes and counts, and as `sections` the place of each array that follows, from the
 * end of the head, and its length: [first byte, number of elements]. Arrays are of the machine's own order, which is
 * lowest byte first on all that browsers run on.
 *
 * Motion and contacts are rounded to 65536 steps of each column's own range, or to the finest useful step if that is
 * coarser, and stored in columns (io/view/bits.h): column = first + step * integer. */
#ifndef IO_VIEW_PACK_H
#define IO_VIEW_PACK_H

#include "io/run/read.h"
#include "io/text/bytes.h"

/* Packs every `every`-th state, the first and the last among them. `out` is the caller's on ABUT_OK. */
AbutStatus abut_view_pack(const AbutRunRecord *record, long every, AbutBytes *out, AbutError *error);

#endif
