/* Runs the experiment grasp: two fingertips lift an object by a planned grasp. */
#pragma once

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_grasp;
