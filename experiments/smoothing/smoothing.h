/* The experiment smoothing: derivatives of a pushed box, beside randomised smoothing. */
#pragma once

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_smoothing;
