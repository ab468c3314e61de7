/* The experiment face-to-face: drops that end face to face, over rate and kappa. */
#ifndef EXPERIMENTS_FACE_TO_FACE_FACE_TO_FACE_H
#define EXPERIMENTS_FACE_TO_FACE_FACE_TO_FACE_H

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_face_to_face;

#endif
