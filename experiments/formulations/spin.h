/* Measures the energy of a free spinning body. */
#ifndef EXPERIMENTS_FORMULATIONS_SPIN_H
#define EXPERIMENTS_FORMULATIONS_SPIN_H

#include "experiments/formulations/studies.h"

AbutFormulationStudy abut_study_spin;

#endif
