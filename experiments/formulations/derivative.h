/* Study: derivatives of each method against differences. */
#ifndef EXPERIMENTS_FORMULATIONS_DERIVATIVE_H
#define EXPERIMENTS_FORMULATIONS_DERIVATIVE_H

#include "experiments/formulations/studies.h"

AbutFormulationStudy abut_study_derivative;

#endif
