/* Checks the scenes of a sweep against its axes. */
#ifndef EXPERIMENTS_SWEEP_CHECK_H
#define EXPERIMENTS_SWEEP_CHECK_H

#include "experiments/sweep/spec.h"

/* Makes each scene once with each value of each other axis: what the scene reader refuses is an error of the spec,
 * there. */
AbutStatus abut_sweep_check(const AbutSweep *sweep, AbutError *error);

#endif
