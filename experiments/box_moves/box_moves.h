/* The experiment box-moves: a box moved right and up by planned forces. */
#pragma once

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_box_moves;
