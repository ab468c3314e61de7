/* The experiment box-moves: a box moved right and up by planned forces. */
#ifndef EXPERIMENTS_BOX_MOVES_BOX_MOVES_H
#define EXPERIMENTS_BOX_MOVES_BOX_MOVES_H

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_box_moves;

#endif
