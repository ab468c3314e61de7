/* Checks of a scene's lists of pairs: those with values of their own, and those that are not to touch. */
#ifndef DYNAMICS_MODEL_PAIRS_CHECK_H
#define DYNAMICS_MODEL_PAIRS_CHECK_H

#include "dynamics/model/method.h"

/* ABUT_OK, or an error whose `where` is a path inside the scene, such as "contacts[2].pair". The bodies are already
 * checked. */
AbutStatus abut_pair_defs_check(const AbutSceneDef *def, const AbutMethodRow *method, AbutError *error);

/* Checks a coefficient of restitution: from 0 to 1, and 0 where the method has none; `where` is what an error names. */
AbutStatus abut_restitution_check(double value, const AbutSolverOptions *options, const AbutMethodRow *method,
                                  const char *where, AbutError *error);

#endif
