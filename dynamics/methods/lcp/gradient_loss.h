/* Functions of dynamics/methods/lcp/gradient_loss.c. */
#ifndef DYNAMICS_METHODS_LCP_GRADIENT_LOSS_H
#define DYNAMICS_METHODS_LCP_GRADIENT_LOSS_H

#include "dynamics/methods/lcp/gradient.h"

/* the sets in the room become those that the loss asks for. */
void abut_lcp_change_sets(const AbutLcpDerivative *g);

#endif
