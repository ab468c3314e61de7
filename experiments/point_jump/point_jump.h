/* The experiment point-jump: the contact point as a tilt goes through zero. */
#pragma once

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_point_jump;
