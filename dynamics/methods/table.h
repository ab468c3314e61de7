/* Looks up properties of a method by its enumerator, for code without a model. */
#pragma once

#include "dynamics/model/method.h"

/* Returns the keys of solver options that their method ignores. */
AbutIgnoredKeys abut_method_ignored_keys(const AbutSolverOptions *options);
