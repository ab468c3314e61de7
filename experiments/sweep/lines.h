/* Stores the rows of a table by run number; reads them from files that may be truncated. */
#pragma once

#include <stdbool.h>

#include "abut/status.h"

typedef struct AbutSweepLines {
	long n_runs;
	char *header;      /* given, or taken from the first file; owned */
	const char **rows; /* (n_runs) rows without line feed, inside `texts`; NULL: missing. Owned array */
	int n_texts, capacity;
	char **texts; /* owned */
} AbutSweepLines;

/* After ABUT_ERROR_MEMORY there is nothing to free. */
AbutStatus abut_sweep_lines_init(AbutSweepLines *lines, long n_runs, AbutError *error);
void abut_sweep_lines_free(AbutSweepLines *lines);

/* Adds the rows of the file at `path`, which may be missing. A last line without line feed is ignored as truncated.
 * Returns ABUT_ERROR_ARGUMENT if the file is not a table of these runs or has other columns. With `same`, repeated rows
 * of a run must be identical. */
AbutStatus abut_sweep_lines_read(AbutSweepLines *lines, const char *path, bool same, AbutError *error);

/* Writes the header and the rows, in the order of the runs. If `only` is not NULL, writes only runs that it contains.
 * The file is replaced once the new one is complete. */
AbutStatus abut_sweep_lines_write(const AbutSweepLines *lines, const AbutSweepLines *only, const char *folder,
                                  const char *name, AbutError *error);
