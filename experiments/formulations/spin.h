/* Studies energy and angular momentum of a spinning box. */
#pragma once

#include "experiments/formulations/studies.h"

AbutFormulationStudy abut_study_spin;
