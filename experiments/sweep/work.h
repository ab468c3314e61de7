/* The runs that one process makes, over its threads. */
#ifndef EXPERIMENTS_SWEEP_WORK_H
#define EXPERIMENTS_SWEEP_WORK_H

#include "experiments/sweep/sweep.h"

/* Makes the `n_runs` runs of that list, as many at a time as `options` has threads, and appends a row of each as it
 * ends to the tables in `folder` of this process, which is `rank`. Ends with the first run that the machine fails in.
 */
AbutStatus abut_sweep_make_runs(const AbutSweep *sweep, const char *folder, int rank, const AbutSweepOptions *options,
                                const long *runs, long n_runs, AbutError *error);

#endif
