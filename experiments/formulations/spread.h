/* Measures how the force of an impact is distributed over time. */
#pragma once

#include "experiments/formulations/studies.h"

AbutFormulationStudy abut_study_spread;
