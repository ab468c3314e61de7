/* A solved step on to the central path at the kappa of its derivative, from its solution, and back. */
#ifndef DYNAMICS_GRADIENT_SMOOTH_H
#define DYNAMICS_GRADIENT_SMOOTH_H

#include "dynamics/gradient/gradient.h"

/* the island's solution on to the path at kappa (false where that is not found), and back
 * to it. */
bool abut_gradient_smooth(AbutIsland *island, double kappa);
void abut_gradient_unsmooth(AbutIsland *island);

#endif
