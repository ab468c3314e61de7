/* The experiment point-jump: the contact point as a tilt goes through zero. */
#ifndef EXPERIMENTS_POINT_JUMP_POINT_JUMP_H
#define EXPERIMENTS_POINT_JUMP_POINT_JUMP_H

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_point_jump;

#endif
