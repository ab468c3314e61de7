/* Computes the wrenches of one linearised contact for given motions and parameters, in all lanes. */
#pragma once

#include "dynamics/gradient/contact_linear.h"

/* Computes the wrenches, `out`, and linear->lanes.du and dz. Input are the motions, and the right-hand sides and
 * parameters that are set in `linear`. */
void abut_contact_linear_push(AbutContactLinear *linear, const AbutLinearMotion *motion, AbutLinearWrench *out);
