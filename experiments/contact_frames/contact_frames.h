/* The experiment contact-frames: contact frames through vertices, edges and faces. */
#ifndef EXPERIMENTS_CONTACT_FRAMES_CONTACT_FRAMES_H
#define EXPERIMENTS_CONTACT_FRAMES_CONTACT_FRAMES_H

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_contact_frames;

#endif
