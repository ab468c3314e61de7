/* Differentiates delayed impulses, which act when a bouncing contact closes during the step. */
#ifndef DYNAMICS_METHODS_LCP_GRADIENT_IMPACTS_H
#define DYNAMICS_METHODS_LCP_GRADIENT_IMPACTS_H

#include "dynamics/methods/lcp/gradient.h"

/* Adds the effect of the velocities on the shares to `when`. The derivative's `velocity` must still be dv*, the change
 * of free flight. */
void abut_lcp_derive_shares(const AbutLcpDerivative *g);
/* Adds the effect of the shares on the delayed impulses; must be called last, when `when` is complete. */
void abut_lcp_derive_late(const AbutLcpDerivative *g);

#endif
