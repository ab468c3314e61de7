/* Measures the energy of a free spinning body. */
#pragma once

#include "experiments/formulations/studies.h"

AbutFormulationStudy abut_study_spin;
