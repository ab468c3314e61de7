/* One run of a sweep: from its point to its rows. */
#ifndef EXPERIMENTS_SWEEP_RUN_POINT_H
#define EXPERIMENTS_SWEEP_RUN_POINT_H

#include <pthread.h>

#include "experiments/sweep/sweep.h"

typedef enum AbutRunOutcome {
	ABUT_RUN_DONE,   /* every step was solved */
	ABUT_RUN_FAILED, /* a step was not */
	ABUT_RUN_REFUSED /* no run: the library does not take the scene */
} AbutRunOutcome;

extern const char *const abut_run_outcome_names[]; /* (3) */

/* What a run adds to runs.csv and times.csv, each a line with its line feed; the caller's. */
typedef struct AbutSweepRows {
	AbutRunOutcome outcome;
	char *results, *times;
} AbutSweepRows;

/* The first lines of the two tables. */
void abut_sweep_write_results_header(const AbutSweep *sweep, FILE *file);
void abut_sweep_write_times_header(FILE *file);

/* Makes run `run`. `reading` is held while the scene is read: cJSON and the C library's locale keep static data.
 * Anything but ABUT_OK is of the machine, and leaves nothing behind. */
AbutStatus abut_sweep_run_point(const AbutSweep *sweep, long run, pthread_mutex_t *reading, AbutSweepRows *rows,
                                AbutError *error);

#endif
