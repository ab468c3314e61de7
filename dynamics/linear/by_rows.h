/* Computes the matrices of a step in joint coordinates by rows. */
#pragma once

#include "dynamics/linear/linear.h"

/* Computes A, B and P, `matrices` (each may be NULL), of a step that is whole (abut_gradient_is_whole) and placed.
 * Returns the statuses of abut_gradient_backward_eight. */
AbutStatus abut_linear_by_rows(AbutLinear *linear, double *const matrices[3], AbutError *error);
