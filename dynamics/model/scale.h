/* A model's bodies and parts in its units. */
#ifndef DYNAMICS_MODEL_SCALE_H
#define DYNAMICS_MODEL_SCALE_H

#include "dynamics/model/model.h"

/* The sphere about the centre of mass that holds the body: its radius, m. */
double abut_model_body_radius(const AbutModel *model, int body);

/* What bodies and parts are in model units, from their SI values and the units. The scale of a part is set where it is
 * 0. ABUT_ERROR_MEMORY, or what method lcp says of a shape. */
AbutStatus abut_model_scale(AbutModel *model, AbutError *error);
AbutStatus abut_model_no_memory(AbutError *error);

#endif
