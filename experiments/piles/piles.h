/* The experiment piles: twenty hulls in a tray, and towers of 54 blocks. */
#ifndef EXPERIMENTS_PILES_PILES_H
#define EXPERIMENTS_PILES_PILES_H

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_piles;

#endif
