/* The experiment convex-bundles: unions and Minkowski sums fall on each other. */
#ifndef EXPERIMENTS_CONVEX_BUNDLES_CONVEX_BUNDLES_H
#define EXPERIMENTS_CONVEX_BUNDLES_CONVEX_BUNDLES_H

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_convex_bundles;

#endif
