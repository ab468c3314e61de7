/* What a sweep measures of a run besides its summary (io/run.h). */
#ifndef EXPERIMENTS_SWEEP_MEASURES_H
#define EXPERIMENTS_SWEEP_MEASURES_H

#include <stdint.h>

#include "io/run.h"

typedef struct AbutSweepMeasures {
	double violation;   /* largest max(1 - alpha, 0) over steps and contacts */
	double momentum[3]; /* mean over the steps of |sum of m v|, component by component, world: kg m/s */
	double spin[3];     /* the same of |sum of R J w|, each body's about its own centre: kg m^2/s */
	long steps;
} AbutSweepMeasures;

/* An observer of the run; its context is the measures, zero at first. */
AbutStatus abut_sweep_observe(void *measures, const AbutRunView *view, AbutError *error);

/* A digest of every body's position, orientation and velocities, bit by bit. */
uint64_t abut_sweep_state_digest(const AbutModel *model, const AbutState *state);

#endif
