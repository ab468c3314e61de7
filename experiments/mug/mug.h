/* The experiment mug: a mug, and a stick through its handle. */
#pragma once

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_mug;
