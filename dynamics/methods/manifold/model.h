/* Checks, when a model is made, whether the methods lcp and convex support it. */
#ifndef DYNAMICS_METHODS_MANIFOLD_MODEL_H
#define DYNAMICS_METHODS_MANIFOLD_MODEL_H

#include "dynamics/methods/manifold/island.h"

/* Prepares the parts of a model, or refuses the first part that the method does not support. */
AbutStatus abut_lcp_model_create(AbutModel *model, AbutError *error);

#endif
