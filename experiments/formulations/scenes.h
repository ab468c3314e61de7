/* Runs shipped scenes with every method. */
#ifndef EXPERIMENTS_FORMULATIONS_SCENES_H
#define EXPERIMENTS_FORMULATIONS_SCENES_H

#include "experiments/formulations/studies.h"

AbutFormulationStudy abut_study_scenes;

#endif
