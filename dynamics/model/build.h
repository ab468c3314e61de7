/* Building a model from a scene definition. */
#pragma once

#include "dynamics/model/model.h"

/* Checks the definition and creates a model for the method in the row. Destroy `out` with abut_model_destroy. */
AbutStatus abut_model_build(const AbutSceneDef *def, const AbutMethodRow *method, AbutModel **out, AbutError *error);
