/* Study: a body on a lifted support. */
#ifndef EXPERIMENTS_FORMULATIONS_LIFTED_H
#define EXPERIMENTS_FORMULATIONS_LIFTED_H

#include "experiments/formulations/studies.h"

AbutFormulationStudy abut_study_lifted;

#endif
