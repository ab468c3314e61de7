/* Writes an archive of NumPy arrays, array by array. */
#pragma once

#include <stdio.h>

#include "abut/status.h"
#include "io/text/bytes.h"

/* A zip archive that begins at the start of `file`. All members have the earliest date that zip allows, so that the
 * same members give the same bytes. */
typedef struct AbutZip {
	FILE *file;
	uint64_t at;       /* bytes written */
	AbutBytes central; /* central directory, which ends the archive */
	int n_members;
} AbutZip;

/* The archive and the array being written. Set `zip.file` and `error`, and the rest to 0. */
typedef struct AbutNpz {
	AbutZip zip;
	AbutBytes array;
	AbutStatus status; /* status of the first failure */
	AbutError *error;
} AbutNpz;

/* Begins an array of a type and shape in NumPy's notation, such as "'<f8'" and "3, 4". Append its entries to
 * npz->array. */
void abut_npz_begin(AbutNpz *npz, const char *type, const char *shape);
/* Begins an array of `n` rows with `columns` entries each; with 0 columns, a vector. */
void abut_npz_rows(AbutNpz *npz, const char *type, long n, int columns);
/* Adds the array to the archive as the member `name`. */
void abut_npz_end(AbutNpz *npz, const char *name);

/* Returns the number of code points of a UTF-8 text. */
int abut_npz_text_length(const char *text);
/* Appends the text as `longest` code points, padded with zeros. */
void abut_npz_text(AbutNpz *npz, const char *text, int longest);

/* Ends the archive, and frees its memory. Returns the first status that was not ABUT_OK. */
AbutStatus abut_npz_finish(AbutNpz *npz);
