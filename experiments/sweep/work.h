/* Makes the runs of one process on its threads. */
#pragma once

#include "experiments/sweep/sweep.h"

/* Makes the `n_runs` listed runs on the threads of `options`, and appends their rows to the tables of process `rank` in
 * `folder`. Stops at the first failure of the machine. */
AbutStatus abut_sweep_make_runs(const AbutSweep *sweep, const char *folder, int rank, const AbutSweepOptions *options,
                                const long *runs, long n_runs, AbutError *error);
