/* The experiment convex-bundles: unions and Minkowski sums fall on each other. */
#pragma once

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_convex_bundles;
