/* Derivatives of delayed impulses, of contacts that close during the step, by the velocities. */
#ifndef DYNAMICS_METHODS_LCP_GRADIENT_IMPACTS_H
#define DYNAMICS_METHODS_LCP_GRADIENT_IMPACTS_H

#include "dynamics/methods/lcp/gradient.h"

/* Adds the effect of the velocities, which must be at dv*, on the shares to `when`. */
void abut_lcp_derive_shares(const AbutLcpDerivative *g);
/* Adds the effect of shares and impulses on the delayed impulses; to be called last. */
void abut_lcp_derive_late(const AbutLcpDerivative *g);

#endif
