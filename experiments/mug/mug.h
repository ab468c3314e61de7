/* The experiment mug: a mug, and a stick through its handle. */
#ifndef EXPERIMENTS_MUG_MUG_H
#define EXPERIMENTS_MUG_MUG_H

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_mug;

#endif
