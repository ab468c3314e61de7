/* Creates Minkowski sums. */
#pragma once

#include "abut/shape.h"
#include "base/stop.h"

/* Creates a sum like abut_shape_create_minkowski_sum; `stop` may end the call early; NULL: never. */
AbutStatus abut_minkowski_sum(int n, const AbutShape *const *parts, AbutStopper *stop, AbutShape **out,
                              AbutError *error);
