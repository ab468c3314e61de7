/* Runs the experiment box-moves: planned forces move a box to the right and up. */
#pragma once

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_box_moves;
