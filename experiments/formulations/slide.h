/* Study: a sliding box against Coulomb's law. */
#ifndef EXPERIMENTS_FORMULATIONS_SLIDE_H
#define EXPERIMENTS_FORMULATIONS_SLIDE_H

#include "experiments/formulations/studies.h"

AbutFormulationStudy abut_study_slide;

#endif
