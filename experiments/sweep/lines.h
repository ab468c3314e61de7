/* The rows of a table by the number of their run, read from files that may be truncated. */
#ifndef EXPERIMENTS_SWEEP_LINES_H
#define EXPERIMENTS_SWEEP_LINES_H

#include <stdbool.h>

#include "abut/status.h"

typedef struct AbutSweepLines {
	long n_runs;
	char *header;      /* set, or of the first file read; owned */
	const char **rows; /* (n_runs) without line feed, in `texts`; NULL: missing. Owned array */
	int n_texts, capacity;
	char **texts; /* owned */
} AbutSweepLines;

/* After ABUT_ERROR_MEMORY there is nothing to free. */
AbutStatus abut_sweep_lines_init(AbutSweepLines *lines, long n_runs, AbutError *error);
void abut_sweep_lines_free(AbutSweepLines *lines);

/* Adds the rows of the file at `path`, which may be missing. A last line without line feed is truncated and ignored.
 * ABUT_ERROR_ARGUMENT: the file is not a table of such runs, or has other columns; with `same`, a repeated run must be
 * the same to the byte. */
AbutStatus abut_sweep_lines_read(AbutSweepLines *lines, const char *path, bool same, AbutError *error);

/* Writes header and rows in the order of the runs; if `only` is not NULL, only runs that it contains. The file is
 * replaced when it is complete. */
AbutStatus abut_sweep_lines_write(const AbutSweepLines *lines, const AbutSweepLines *only, const char *folder,
                                  const char *name, AbutError *error);

#endif
