/* Runs two studies: a sliding and a pushed box, compared with Coulomb's law. */
#pragma once

#include "experiments/formulations/studies.h"

AbutFormulationStudy abut_study_slide;

AbutFormulationStudy abut_study_push;
