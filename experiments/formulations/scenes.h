/* Runs shipped scenes with every method. */
#pragma once

#include "experiments/formulations/studies.h"

AbutFormulationStudy abut_study_scenes;
