/* Multiplies the derivative in joint coordinates by columns of the unit matrix. */
#pragma once

#include "dynamics/linear/linear.h"

/* Computes `count` columns, at most eight, from `first` on, counted over x, u and p: the changes of the states at both
 * ends of the step into linear->change and linear->next, those of x+ into linear->out. The step must be placed. Returns
 * the statuses of abut_linear_matrices.
 *
 * `before` is the status of the columns before. If it is not ABUT_OK, it is returned again with its `error`, unless
 * memory runs out: this is reported above all. */
AbutStatus abut_linear_columns(AbutLinear *linear, int first, int count, AbutStatus before, AbutError *error);
