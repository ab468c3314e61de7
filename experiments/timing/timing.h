/* The experiment timing: the time of a step, single-level and bilevel. */
#ifndef EXPERIMENTS_TIMING_TIMING_H
#define EXPERIMENTS_TIMING_TIMING_H

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_timing;

#endif
