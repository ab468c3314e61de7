/* Starts from separate problems. */
#ifndef DYNAMICS_SOLVE_START_APART_H
#define DYNAMICS_SOLVE_START_APART_H

#include "dynamics/island/island.h"

/* Starts from free flight: each contact's collision problem is solved alone at the resulting poses, then everything is
 * smoothed. Slower than the cold start, and good where that one is not. */
void abut_step_start_apart(AbutIsland *island);
/* Starts in the same way with the bodies at their places. */
void abut_step_start_still(AbutIsland *island);

#endif
