/* Studies the contact force of a falling ball. */
#pragma once

#include "experiments/formulations/studies.h"

AbutFormulationStudy abut_study_impact;
