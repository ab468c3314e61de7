/* An interior point near the iterate (docs/formulation.md 8). */
#ifndef DYNAMICS_SOLVE_SMOOTH_H
#define DYNAMICS_SOLVE_SMOOTH_H

#include "dynamics/island/island.h"

/* Evaluates the iterate and returns its natural residual. */
double abut_step_residual(AbutIsland *island);
/* Replaces z and s by a smoothed pair around the iterate, with mu at least kappa. */
void abut_step_smooth(AbutIsland *island, double kappa);
/* Replaces z and s by a smoothed pair at mu. The problem must be evaluated. */
void abut_step_smooth_at(AbutIsland *island, double mu);
/* Sets the free unknowns that equal heads of slacks to these heads. */
void abut_step_keep_heads(AbutIsland *island);

#endif
