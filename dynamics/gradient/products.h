/* Multiplies the derivative of a part, or its transpose, by vectors. */
#pragma once

#include "dynamics/gradient/part.h"

/* Computes the change of the next state, `out` (12 n), for eight changes of state and input, `change` (18 n), and of
 * `parameters` (n_parameters; NULL: none). Returns false, here and below, if the solve does not converge. */
bool abut_gradient_part_forward(const AbutGradientPart *part, const AbutLanes *change, const AbutLanes *parameters,
                                AbutLanes *out);

/* Computes the gradients of eight costs with respect to state and input, `out` (18 n), from their gradients with
 * respect to the next state, `by_next` (12 n). Adds their gradients with respect to parameters to `parameters`
 * (n_parameters). */
bool abut_gradient_part_backward(const AbutGradientPart *part, const AbutLanes *by_next, AbutLanes *out,
                                 AbutLanes *parameters);
