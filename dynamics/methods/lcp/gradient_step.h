/* The derivative of a step of method lcp (Nimble, sections IV and V, appendix A). */
#ifndef DYNAMICS_METHODS_LCP_GRADIENT_STEP_H
#define DYNAMICS_METHODS_LCP_GRADIENT_STEP_H

#include "dynamics/methods/lcp/gradient.h"

/* Computes abut_lcp_gradient with the sets that `loss`, by the state after the step, asks for; NULL: with the sets of
 * the solution. */
AbutStatus abut_lcp_gradient_towards(const AbutModel *model, const AbutWorkspace *w, const double *loss, double *out,
                                     AbutError *error);

#endif
