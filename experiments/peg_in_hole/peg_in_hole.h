/* Runs the experiment peg-in-hole: a square peg falls into a hole made of a bundle. */
#pragma once

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_peg_in_hole;
