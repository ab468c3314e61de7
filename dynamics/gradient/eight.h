/* Multiplies the derivative of a step by eight changes at once. */
#pragma once

#include "dynamics/gradient/gradient.h"

/* Computes the changes of the next state, `next` (12 n_moving), for eight changes of state and input, `change` (18
 * n_moving), and of the selected `parameters` (n_parameters; NULL: none), all in SI and in the order of the moving
 * bodies. Returns the statuses of abut_gradient_forward; an island's entries are NaN in the lanes whose change has no
 * derivative there. */
AbutStatus abut_gradient_forward_eight(const AbutGradient *gradient, const AbutLanes *change,
                                       const AbutLanes *parameters, AbutLanes *next, AbutError *error);

/* Returns whether the last step has its derivative by everything, and was taken in one part. */
bool abut_gradient_is_whole(const AbutGradient *gradient);
/* Computes the gradients of eight costs by state and input, `out` (18 n_moving), and by the parameters, `parameters`
 * (n_parameters), from those by the next state, `by_next` (12 n_moving), all in SI, for a step that is whole. Returns
 * ABUT_ERROR_MEMORY, or ABUT_ERROR_NUMERICAL if a number is not finite. */
AbutStatus abut_gradient_backward_eight(const AbutGradient *gradient, const AbutLanes *by_next, AbutLanes *out,
                                        AbutLanes *parameters, AbutError *error);
