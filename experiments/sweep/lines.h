/* The rows of a table by the number of their run, gathered from files that may have been torn off. */
#ifndef EXPERIMENTS_SWEEP_LINES_H
#define EXPERIMENTS_SWEEP_LINES_H

#include <stdbool.h>

#include "abut/status.h"

typedef struct AbutSweepLines {
	long n_runs;
	char *header;      /* set, or of the first file read; owned */
	const char **rows; /* (n_runs) without line feed, in `texts`; NULL: not there. Owned array */
	int n_texts, capacity;
	char **texts; /* owned */
} AbutSweepLines;

/* ABUT_ERROR_MEMORY leaves nothing behind. */
AbutStatus abut_sweep_lines_init(AbutSweepLines *lines, long n_runs, AbutError *error);
void abut_sweep_lines_free(AbutSweepLines *lines);

/* Adds the rows of the file at `path`, which need not be there. A last line without its line feed was torn off and is
 * left out. ABUT_ERROR_ARGUMENT: the file is no table of such runs, or of
 * other columns than those before; with `same`, a run that was there already must be the same to the byte. */
AbutStatus abut_sweep_lines_read(AbutSweepLines *lines, const char *path, bool same, AbutError *error);

/* Writes header and rows in the order of the runs; only those whose run is in `only`, when that is not NULL. The file
 * is there when all is written, or left as it was. */
AbutStatus abut_sweep_lines_write(const AbutSweepLines *lines, const AbutSweepLines *only, const char *folder,
                                  const char *name, AbutError *error);

#endif
