/* Runs a sweep into a folder. */
#ifndef EXPERIMENTS_SWEEP_RUN_H
#define EXPERIMENTS_SWEEP_RUN_H

#include "experiments/sweep/sweep.h"

/* Runs what is missing in `folder`, which then holds runs.csv, times.csv and sweep.json. A run that fails or is refused
 * is a row and no error. ABUT_ERROR_ARGUMENT: the folder holds a sweep, another one, or is in use; ABUT_ERROR_IO:
 * something could not be written; what is there then can be resumed. `counts` may be NULL.
 *
 * Each run is on one thread; OpenBLAS is told to use one from now on, so that no number depends on how many there are.
 */
AbutStatus abut_sweep_run(const AbutSweep *sweep, const char *folder, const AbutSweepOptions *options,
                          AbutSweepCounts *counts, AbutError *error);

#endif
