/* The experiment shape-optimisation: a cam optimised for a wanted lift. */
#pragma once

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_shape_optimisation;
