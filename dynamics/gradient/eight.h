/* Multiplies the derivative of a step by eight changes at once. */
#pragma once

#include "dynamics/gradient/gradient.h"

/* Computes the changes of the next state, `next` (12 n_moving), for eight changes of state and input, `change` (18
 * n_moving), and of the selected `parameters` (n_parameters; NULL: none), all in SI and in the order of the moving
 * bodies. Returns the statuses of abut_gradient_forward; an island's entries are NaN in the lanes whose change has no
 * derivative there. */
AbutStatus abut_gradient_forward_eight(const AbutGradient *gradient, const AbutLanes *change,
                                       const AbutLanes *parameters, AbutLanes *next, AbutError *error);
