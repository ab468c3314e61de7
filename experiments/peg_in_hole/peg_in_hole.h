/* The experiment peg-in-hole: a square peg into a hole made of a bundle. */
#ifndef EXPERIMENTS_PEG_IN_HOLE_PEG_IN_HOLE_H
#define EXPERIMENTS_PEG_IN_HOLE_PEG_IN_HOLE_H

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_peg_in_hole;

#endif
