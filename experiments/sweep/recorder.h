/* The two tables while they grow: a row is in the file, whole, when the call is done. Several processes may write into
 * one folder, each into tables of its own. */
#ifndef EXPERIMENTS_SWEEP_RECORDER_H
#define EXPERIMENTS_SWEEP_RECORDER_H

#include "experiments/sweep/run_point.h"

enum { ABUT_SWEEP_TABLES = 2 }; /* results, times */

typedef struct AbutSweepRecorder {
	char *paths[ABUT_SWEEP_TABLES]; /* owned */
	int files[ABUT_SWEEP_TABLES];   /* descriptors; -1: closed */
} AbutSweepRecorder;

/* The name of a table of process `rank`: runs.csv or times.csv, and runs.RANK.csv from rank 1 on. */
char *abut_sweep_table_path(const char *folder, int table, int rank);

/* Appends to the tables of `rank`, which are begun when they are not there. */
AbutStatus abut_sweep_recorder_open(AbutSweepRecorder *recorder, const AbutSweep *sweep, const char *folder, int rank,
                                    AbutError *error);
AbutStatus abut_sweep_recorder_append(const AbutSweepRecorder *recorder, const AbutSweepRows *rows, AbutError *error);
void abut_sweep_recorder_close(AbutSweepRecorder *recorder);

#endif
