/* One run of a sweep: from its point to its result. */
#ifndef EXPERIMENTS_SWEEP_RUN_POINT_H
#define EXPERIMENTS_SWEEP_RUN_POINT_H

#include <pthread.h>

#include "experiments/sweep/result.h"
#include "experiments/sweep/sweep.h"

/* `text` is held while the scene is read, and has to be where others read or write: cJSON and the C library's locale
 * keep static data. Anything but ABUT_OK is of the machine. */
AbutStatus abut_sweep_run_point(const AbutSweep *sweep, long run, pthread_mutex_t *text, AbutSweepResult *result,
                                AbutError *error);

#endif
