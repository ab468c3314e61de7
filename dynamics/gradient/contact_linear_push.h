/* Pushes motions and parameters through one linearised contact, in all lanes. */
#ifndef DYNAMICS_GRADIENT_CONTACT_LINEAR_PUSH_H
#define DYNAMICS_GRADIENT_CONTACT_LINEAR_PUSH_H

#include "dynamics/gradient/contact_linear.h"

/* Computes wrenches, du and dz for the motions, and for the right-hand sides and parameters that are set. */
void abut_contact_linear_push(AbutContactLinear *linear, const AbutLinearMotion *motion, AbutLinearWrench *out);

#endif
