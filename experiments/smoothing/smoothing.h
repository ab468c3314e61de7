/* Runs the experiment smoothing: compares derivatives of a pushed box with randomised smoothing. */
#pragma once

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_smoothing;
