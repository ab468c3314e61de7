/* Products of the derivative of a part with vectors. */
#ifndef DYNAMICS_GRADIENT_PRODUCTS_H
#define DYNAMICS_GRADIENT_PRODUCTS_H

#include "dynamics/gradient/part.h"

/* Maps eight changes (18 n) of state and input, and `parameters` (n_parameters; NULL: none),
 * to those of the next state `out` (12 n). */
bool abut_gradient_part_forward(const AbutGradientPart *part, const AbutLanes *change, const AbutLanes *parameters,
                                AbutLanes *out);

/* Maps a cost's derivative `by_next` (12 n), by the next state, to that by state and input, `out` (18 n); adds that by
 * parameters to `parameters` (n_parameters). */
bool abut_gradient_part_backward(const AbutGradientPart *part, const double *by_next, double *out, double *parameters);

#endif
