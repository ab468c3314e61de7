/* Checks, when a model is made, whether the methods lcp and convex support it. */
#pragma once

#include "dynamics/methods/manifold/island.h"

/* Prepares the parts of a model, or refuses the first part that the method does not support. */
AbutStatus abut_lcp_model_create(AbutModel *model, AbutError *error);
