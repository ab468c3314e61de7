/* The experiment smoothing: derivatives of a pushed box, beside randomised smoothing. */
#ifndef EXPERIMENTS_SMOOTHING_SMOOTHING_H
#define EXPERIMENTS_SMOOTHING_SMOOTHING_H

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_smoothing;

#endif
