/* Runs two studies: a sliding and a pushed box, compared with Coulomb's law. */
#ifndef EXPERIMENTS_FORMULATIONS_COULOMB_H
#define EXPERIMENTS_FORMULATIONS_COULOMB_H

#include "experiments/formulations/studies.h"

AbutFormulationStudy abut_study_slide;

AbutFormulationStudy abut_study_push;

#endif
