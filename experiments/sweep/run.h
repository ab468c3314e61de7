/* Runs a sweep into a folder. */
#pragma once

#include "experiments/sweep/sweep.h"

/* Runs the missing runs of a sweep in `folder`, which then contains runs.csv, times.csv and sweep.json. A run that
 * fails or is refused is recorded in its row; it is not an error. Returns ABUT_ERROR_ARGUMENT if the folder already
 * contains a sweep that may not be resumed, or is in use. Returns ABUT_ERROR_IO if something could not be written; the
 * rows written so far can be resumed. `counts` may be NULL.
 *
 * Each run uses one thread. OpenBLAS is set to one thread from then on, so results do not depend on the number of
 * threads. */
AbutStatus abut_sweep_run(const AbutSweep *sweep, const char *folder, const AbutSweepOptions *options,
                          AbutSweepCounts *counts, AbutError *error);
