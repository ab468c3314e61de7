/* Conversion of a model's bodies and parts to its units. */
#pragma once

#include "dynamics/model/model.h"

/* Returns the radius (m) of the sphere about the centre of mass that contains the body. */
double abut_model_body_radius(const AbutModel *model, int body);

/* Computes bodies and parts in model units from their SI values. Sets the scale of a part if it is 0. Returns
 * ABUT_ERROR_MEMORY, or the error of the method's make_ready. */
AbutStatus abut_model_scale(AbutModel *model, AbutError *error);
/* Sets the error to ABUT_ERROR_MEMORY and returns it. */
AbutStatus abut_model_no_memory(AbutError *error);
