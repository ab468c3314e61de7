/* Measures how many inverses of soft contacts are computed per second. */
#ifndef EXPERIMENTS_FORMULATIONS_INVERSE_H
#define EXPERIMENTS_FORMULATIONS_INVERSE_H

#include "experiments/formulations/studies.h"

AbutFormulationStudy abut_study_inverse;

#endif
