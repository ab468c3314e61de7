/* Computes the derivative of a step of method lcp (Nimble, sections IV and V, appendix A). */
#pragma once

#include "dynamics/methods/lcp/gradient.h"

/* Computes the same matrix as abut_lcp_gradient, but with the sets of points that `loss` asks for. `loss` is the
 * gradient of the loss with respect to the state after the step; NULL: uses the sets of the solution. */
AbutStatus abut_lcp_gradient_towards(const AbutModel *model, const AbutWorkspace *w, const double *loss, double *out,
                                     AbutError *error);
