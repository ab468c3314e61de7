/* Manages the folder of a sweep: the tables of one or several processes, unfinished or complete. */
#pragma once

#include "experiments/sweep/lines.h"
#include "experiments/sweep/record.h"
#include "experiments/sweep/rows.h"

typedef struct AbutSweepRecorder {
	const AbutSweep *sweep;
	char *paths[ABUT_SWEEP_TABLES]; /* owned */
	int files[ABUT_SWEEP_TABLES];   /* descriptors; -1: closed */
} AbutSweepRecorder;

/* Opens the tables of `rank` for appending; missing tables are created. */
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
/* Sets the headers of the tables to those of this sweep, without rows. */
AbutStatus abut_sweep_contents_expect(AbutSweepContents *contents, const AbutSweep *sweep, AbutError *error);
void abut_sweep_contents_free(AbutSweepContents *contents);

/* Adds the rows of runs.csv and times.csv, and of the tables of other processes under mpirun. */
AbutStatus abut_sweep_contents_read(AbutSweepContents *contents, const char *folder, AbutError *error);
/* Writes runs.csv and times.csv in the order of the runs, and removes the tables of other ranks. No rows are lost if
 * this is interrupted. */
AbutStatus abut_sweep_contents_write(const AbutSweepContents *contents, const char *folder, AbutError *error);

/* Counts the runs by outcome. */
AbutStatus abut_sweep_contents_count(const AbutSweepContents *contents, AbutSweepCounts *counts, AbutError *error);

/* Reads the record of a folder before anything is written into it. `*found` is whether there is a record; the caller
 * frees it. Returns ABUT_ERROR_ARGUMENT if the folder has tables but no record. */
AbutStatus abut_sweep_folder_examine(const char *folder, AbutSweepRecord *record, bool *found, AbutError *error);

/* Locks the folder against other sweeps, until this process ends or closes `*lock`. ABUT_ERROR_ARGUMENT when another
 * process holds the lock. */
AbutStatus abut_sweep_folder_lock(const char *folder, int *lock, AbutError *error);
