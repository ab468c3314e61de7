/* The folder of a sweep: its tables, of one process or of several, as they grow and once complete. */
#ifndef EXPERIMENTS_SWEEP_FOLDER_H
#define EXPERIMENTS_SWEEP_FOLDER_H

#include "experiments/sweep/lines.h"
#include "experiments/sweep/record.h"
#include "experiments/sweep/rows.h"

typedef struct AbutSweepRecorder {
	const AbutSweep *sweep;
	char *paths[ABUT_SWEEP_TABLES]; /* owned */
	int files[ABUT_SWEEP_TABLES];   /* descriptors; -1: closed */
} AbutSweepRecorder;

/* Appends to the tables of `rank`, which are begun when they are not there. */
AbutStatus abut_sweep_recorder_open(AbutSweepRecorder *recorder, const AbutSweep *sweep, const char *folder, int rank,
                                    AbutError *error);
AbutStatus abut_sweep_recorder_append(const AbutSweepRecorder *recorder, long run, const AbutSweepResult *result,
                                      AbutError *error);
void abut_sweep_recorder_close(AbutSweepRecorder *recorder);

/* The rows of both tables. */
typedef struct AbutSweepContents {
	AbutSweepLines tables[ABUT_SWEEP_TABLES];
} AbutSweepContents;

AbutStatus abut_sweep_contents_init(AbutSweepContents *contents, long n_runs, AbutError *error);
/* The tables are to be those of this sweep, with no row so far. */
AbutStatus abut_sweep_contents_expect(AbutSweepContents *contents, const AbutSweep *sweep, AbutError *error);
void abut_sweep_contents_free(AbutSweepContents *contents);

/* Adds the rows of runs.csv, times.csv and of those that processes under mpirun have left beside them. */
AbutStatus abut_sweep_contents_read(AbutSweepContents *contents, const char *folder, AbutError *error);
/* Makes runs.csv and times.csv of them, in the order of the runs, and removes the tables beside. A call that ends in
 * between loses nothing. */
AbutStatus abut_sweep_contents_write(const AbutSweepContents *contents, const char *folder, AbutError *error);

/* Runs by outcome. */
AbutStatus abut_sweep_contents_count(const AbutSweepContents *contents, AbutSweepCounts *counts, AbutError *error);

/* The record of a folder that is to be written into; `*found` tells whether there is one, which is the caller's.
 * ABUT_ERROR_ARGUMENT when there is none beside tables, which are those of somebody else. */
AbutStatus abut_sweep_folder_examine(const char *folder, AbutSweepRecord *record, bool *found, AbutError *error);

/* Keeps others from running a sweep in the folder, until this process ends or closes `*lock`. ABUT_ERROR_ARGUMENT when
 * another one does. */
AbutStatus abut_sweep_folder_lock(const char *folder, int *lock, AbutError *error);

#endif
