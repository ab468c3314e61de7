/* Runs the experiment formulations, which compares all methods. */
#ifndef EXPERIMENTS_FORMULATIONS_FORMULATIONS_H
#define EXPERIMENTS_FORMULATIONS_FORMULATIONS_H

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_formulations;

#endif
