/* The experiment grasp: two fingertips lift an object by a planned grasp. */
#ifndef EXPERIMENTS_GRASP_GRASP_H
#define EXPERIMENTS_GRASP_GRASP_H

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_grasp;

#endif
