/* The experiment stacking: stacks at rest: momentum, towers, a house of cards. */
#pragma once

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_stacking;
