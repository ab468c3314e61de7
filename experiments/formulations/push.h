/* Study: a pushed box against Coulomb's law. */
#ifndef EXPERIMENTS_FORMULATIONS_PUSH_H
#define EXPERIMENTS_FORMULATIONS_PUSH_H

#include "experiments/formulations/studies.h"

AbutFormulationStudy abut_study_push;

#endif
