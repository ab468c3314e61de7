/* AbutSceneDef -> AbutModel: mass properties, units, pairs and every offset, once. */
#ifndef DYNAMICS_MODEL_BUILD_H
#define DYNAMICS_MODEL_BUILD_H

#include "dynamics/model/model.h"

/* Makes a model for the method of the row. The definition is checked; `out` is destroyed with abut_model_destroy. */
AbutStatus abut_model_build(const AbutSceneDef *def, const AbutMethodRow *method, AbutModel **out, AbutError *error);

#endif
