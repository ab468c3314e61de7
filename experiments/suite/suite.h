/* The experiments that the registry lists, one function each. */
#ifndef EXPERIMENTS_SUITE_SUITE_H
#define EXPERIMENTS_SUITE_SUITE_H

#include "experiments/experiment.h"

typedef AbutStatus AbutExperimentFunction(const AbutExperimentRun *run, AbutReport *report, AbutError *error);

AbutExperimentFunction abut_experiment_point_jump;
AbutExperimentFunction abut_experiment_contact_frames;
AbutExperimentFunction abut_experiment_timing;
AbutExperimentFunction abut_experiment_face_to_face;
AbutExperimentFunction abut_experiment_stacking;
AbutExperimentFunction abut_experiment_peg_in_hole;
AbutExperimentFunction abut_experiment_mug;
AbutExperimentFunction abut_experiment_convex_bundles;
AbutExperimentFunction abut_experiment_piles;
AbutExperimentFunction abut_experiment_smoothing;
AbutExperimentFunction abut_experiment_identification;

#endif
