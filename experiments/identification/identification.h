/* The experiment identification: friction and corners of a tossed box from recordings. */
#pragma once

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_identification;
