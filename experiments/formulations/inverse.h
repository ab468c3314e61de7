/* Measures how many inverses of soft contacts are computed per second. */
#pragma once

#include "experiments/formulations/studies.h"

AbutFormulationStudy abut_study_inverse;
