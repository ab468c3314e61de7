/* Which derivatives a step has, island by island, and why not the others. */
#ifndef DYNAMICS_GRADIENT_REFUSE_H
#define DYNAMICS_GRADIENT_REFUSE_H

#include "dynamics/gradient/gradient.h"

/* Checks that there is a last step to differentiate. */
AbutStatus abut_gradient_ready(const AbutGradient *gradient, AbutError *error);

/* Checks that the island has its derivative `by` poses, impulses or a parameter (ABUT_BY_POSES and so on); otherwise
 * the error says why not. */
AbutStatus abut_gradient_has(const AbutGradient *gradient, const AbutGradientIsland *island, int by, AbutError *error);

/* Sets the message for the status of an island, and returns the status. */
AbutStatus abut_gradient_refuse(const AbutGradient *gradient, AbutStatus status, AbutError *error);

#endif
