/* Runs two studies: derivatives of each method compared with finite differences, and used as directions of descent. */
#pragma once

#include "experiments/formulations/studies.h"

AbutFormulationStudy abut_study_derivative;

AbutFormulationStudy abut_study_lifted;
