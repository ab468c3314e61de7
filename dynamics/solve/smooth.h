/* An interior point near the iterate (docs/formulation.md 8). */
#pragma once

#include "dynamics/island/island.h"

/* Evaluates the iterate and returns its natural residual. */
double abut_step_residual(AbutIsland *island);
/* Replaces z and s by a smoothed pair around the iterate. mu is the natural residual, but at least kappa and at most
 * ABUT_SMOOTHED_MOST. */
void abut_step_smooth(AbutIsland *island, double kappa);
/* Replaces z and s by a smoothed pair with this mu. The problem must be evaluated at the iterate. */
void abut_step_smooth_at(AbutIsland *island, double mu);
/* Sets the free unknown psi of each second-order friction cone to the head of its slack. */
void abut_step_keep_heads(AbutIsland *island);
