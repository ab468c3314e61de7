/* Differentiates delayed impulses, which act when a bouncing contact closes during the step. */
#pragma once

#include "dynamics/methods/lcp/gradient.h"

/* Adds the effect of the velocities on the shares to `when`. The derivative's `velocity` must still be dv*, the change
 * of free flight. */
void abut_lcp_derive_shares(const AbutLcpDerivative *g);
/* Adds the effect of the shares on the delayed impulses; must be called last, when `when` is complete. */
void abut_lcp_derive_late(const AbutLcpDerivative *g);
