/* The experiment stacking: stacks at rest: momentum, towers, a house of cards. */
#ifndef EXPERIMENTS_STACKING_STACKING_H
#define EXPERIMENTS_STACKING_STACKING_H

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_stacking;

#endif
