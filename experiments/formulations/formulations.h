/* Runs the experiment formulations, which compares all methods. */
#pragma once

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_formulations;
