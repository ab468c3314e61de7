/* Runs the experiment contact-frames: contact frames through vertices, edges and faces. */
#pragma once

#include "experiments/suite/experiment.h"

AbutExperimentFunction abut_experiment_contact_frames;
