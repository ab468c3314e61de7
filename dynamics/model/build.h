/* Builds a model from a scene definition: mass properties, units, pairs and all offsets, once. */
#ifndef DYNAMICS_MODEL_BUILD_H
#define DYNAMICS_MODEL_BUILD_H

#include "dynamics/model/model.h"

/* Checks the definition and makes a model for the method of the row. Destroy `out` with abut_model_destroy. */
AbutStatus abut_model_build(const AbutSceneDef *def, const AbutMethodRow *method, AbutModel **out, AbutError *error);

#endif
