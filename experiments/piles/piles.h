/* The experiment piles: twenty hulls in a tray, and towers of 54 blocks. */
#pragma once

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_piles;
