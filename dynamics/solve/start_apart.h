/* Starts that take the problem apart. */
#ifndef DYNAMICS_SOLVE_START_APART_H
#define DYNAMICS_SOLVE_START_APART_H

#include "dynamics/island/island.h"

/* Starts from free flight: each contact's collision problem solved alone at the poses that follow, then everything
 * smoothed. Slower than the cold start, and good where that one is not. */
void abut_step_start_apart(AbutIsland *island);
/* Starts in the same way with the bodies where they are. */
void abut_step_start_still(AbutIsland *island);

#endif
