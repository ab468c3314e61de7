/* The shell command that repeats one run of a sweep. */
#ifndef EXPERIMENTS_SWEEP_CALL_H
#define EXPERIMENTS_SWEEP_CALL_H

#include <stdio.h>

#include "experiments/sweep/sweep.h"

/* The call of `abut run` that repeats a run, for a shell. ABUT_ERROR_ARGUMENT: there is no such run. */
AbutStatus abut_sweep_write_call(const AbutSweep *sweep, long run, FILE *file, AbutError *error);

#endif
