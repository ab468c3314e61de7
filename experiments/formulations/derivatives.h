/* Runs two studies: derivatives of each method compared with finite differences, and used as directions of descent. */
#ifndef EXPERIMENTS_FORMULATIONS_DERIVATIVES_H
#define EXPERIMENTS_FORMULATIONS_DERIVATIVES_H

#include "experiments/formulations/studies.h"

AbutFormulationStudy abut_study_derivative;

AbutFormulationStudy abut_study_lifted;

#endif
