/* Looks up properties of a method by its enumerator, for code without a model. */
#ifndef DYNAMICS_METHODS_TABLE_H
#define DYNAMICS_METHODS_TABLE_H

#include "dynamics/model/method.h"

/* Returns the keys of solver options that their method ignores. */
AbutIgnoredKeys abut_method_ignored_keys(const AbutSolverOptions *options);

#endif
