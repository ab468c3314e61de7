/* The experiment formulations: all methods side by side. */
#ifndef EXPERIMENTS_FORMULATIONS_FORMULATIONS_H
#define EXPERIMENTS_FORMULATIONS_FORMULATIONS_H

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_formulations;

#endif
