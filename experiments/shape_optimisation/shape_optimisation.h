/* The experiment shape-optimisation: a cam optimised for a wanted lift. */
#ifndef EXPERIMENTS_SHAPE_OPTIMISATION_SHAPE_OPTIMISATION_H
#define EXPERIMENTS_SHAPE_OPTIMISATION_SHAPE_OPTIMISATION_H

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_shape_optimisation;

#endif
