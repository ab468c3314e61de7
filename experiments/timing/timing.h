/* Runs the experiment timing: the time of a step, single-level and bilevel. */
#pragma once

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_timing;
