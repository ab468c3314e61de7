/* Packs a run into the bytes of its replay page (io/view/src/run.js reads them).
 *
 * The bytes start with a head: the 8 bytes "abut-run", the length of a JSON object (4 bytes, lowest first), the object,
 * and zeros up to a multiple of 8. The object holds names, shapes and counts. Its member `sections` gives [first byte,
 * number of elements] of each array that follows; bytes count from the end of the head. Arrays store the lowest byte
 * first, as browsers read them.
 *
 * Motion and contacts are stored in columns (io/view/bits.h) with value = first + step * integer. A step is 1/65535 of
 * the column's range, or the finest useful step if that is larger. Quaternions and normals have fixed steps. */
#pragma once

#include "io/run/read.h"
#include "io/text/bytes.h"

/* Packs every `every`-th state, always including the first and the last. On ABUT_OK, the caller frees `out`. */
AbutStatus abut_view_pack(const AbutRunRecord *record, long every, AbutBytes *out, AbutError *error);
