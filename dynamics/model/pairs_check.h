/* Checks of a scene's two lists of pairs: pairs with their own values, and excluded pairs. */
#pragma once

#include "dynamics/model/method.h"

/* Checks both lists. Call after the bodies are checked. The error's `where` is a path inside the scene, such as
 * "contacts[2].pair". */
AbutStatus abut_pair_defs_check(const AbutSceneDef *def, const AbutMethodRow *method, AbutError *error);

/* Checks a coefficient of restitution. It must be from 0 to 1, and 0 if the method does not support restitution.
 * `where` is the path for errors. */
AbutStatus abut_restitution_check(double value, const AbutSolverOptions *options, const AbutMethodRow *method,
                                  const char *where, AbutError *error);
