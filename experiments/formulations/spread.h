/* Measures how the force of an impact is distributed over time. */
#ifndef EXPERIMENTS_FORMULATIONS_SPREAD_H
#define EXPERIMENTS_FORMULATIONS_SPREAD_H

#include "experiments/formulations/studies.h"

AbutFormulationStudy abut_study_spread;

#endif
