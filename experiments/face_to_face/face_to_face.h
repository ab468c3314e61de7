/* The experiment face-to-face: drops that end face to face, over rate and kappa. */
#pragma once

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_face_to_face;
