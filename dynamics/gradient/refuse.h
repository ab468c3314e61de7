/* Which derivatives a step has, island by island, and why not the others. */
#ifndef DYNAMICS_GRADIENT_REFUSE_H
#define DYNAMICS_GRADIENT_REFUSE_H

#include "dynamics/gradient/gradient.h"

/* whether there is a last step. */
AbutStatus abut_gradient_ready(const AbutGradient *gradient, AbutError *error);

/* Whether the island has its derivative `by` poses, impulses or a parameter (ABUT_BY_POSES and so on); otherwise the
 * error says why not. */
AbutStatus abut_gradient_has(const AbutGradient *gradient, const AbutGradientIsland *island, int by, AbutError *error);

/* The message that goes with a status of an island. */
AbutStatus abut_gradient_refuse(const AbutGradient *gradient, AbutStatus status, AbutError *error);

#endif
