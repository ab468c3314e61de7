/* Reads the motions to which the derivative of a step belongs. */
#pragma once

#include "dynamics/gradient/gradient.h"

/* Writes the motions at which the derivative was taken to `out` (n_moving), with the positions of the centres of mass;
 * those of islands without a derivative are left unchanged. */
void abut_gradient_ends(const AbutGradient *gradient, AbutBodyState *out);
