/* The two tables while they grow: a row is in the file, whole, when the call is done. Several processes may write into
 * one folder, each into tables of its own. */
#ifndef EXPERIMENTS_SWEEP_RECORDER_H
#define EXPERIMENTS_SWEEP_RECORDER_H

#include "experiments/sweep/rows.h"

typedef struct AbutSweepRecorder {
	const AbutSweep *sweep;
	char *paths[ABUT_SWEEP_TABLES]; /* owned */
	int files[ABUT_SWEEP_TABLES];   /* descriptors; -1: closed */
} AbutSweepRecorder;

/* The path of a table of process `rank`: runs.csv or times.csv, and runs.RANK.csv from rank 1 on. The caller's, NULL
 * when out of memory. */
char *abut_sweep_table_path(const char *folder, AbutSweepTableKind table, int rank);

/* Appends to the tables of `rank`, which are begun when they are not there. */
AbutStatus abut_sweep_recorder_open(AbutSweepRecorder *recorder, const AbutSweep *sweep, const char *folder, int rank,
                                    AbutError *error);
AbutStatus abut_sweep_recorder_append(const AbutSweepRecorder *recorder, long run, const AbutSweepResult *result,
                                      AbutError *error);
void abut_sweep_recorder_close(AbutSweepRecorder *recorder);

#endif
