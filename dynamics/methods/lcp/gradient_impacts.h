/* Functions of dynamics/methods/lcp/gradient_impacts.c. */
#ifndef DYNAMICS_METHODS_LCP_GRADIENT_IMPACTS_H
#define DYNAMICS_METHODS_LCP_GRADIENT_IMPACTS_H

#include "dynamics/methods/lcp/gradient.h"

/* with the velocities at dv*, what these do to the shares; and at the end what
 * shares and impulses do to what comes late. */
void abut_lcp_derive_shares(const AbutLcpDerivative *g);
void abut_lcp_derive_late(const AbutLcpDerivative *g);

#endif
