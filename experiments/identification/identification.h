/* The experiment identification: friction and corners of a tossed box from recordings. */
#ifndef EXPERIMENTS_IDENTIFICATION_IDENTIFICATION_H
#define EXPERIMENTS_IDENTIFICATION_IDENTIFICATION_H

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_identification;

#endif
