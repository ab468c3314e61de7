/* A polytope that strikes a halfspace. */
#ifndef DYNAMICS_SOLVE_START_LANDING_H
#define DYNAMICS_SOLVE_START_LANDING_H

#include "dynamics/island/island.h"

/* Starts the island's one contact if a polytope hits a halfspace there. Returns false if it does not, or if the start
 * fails, with the bodies unchanged. */
bool abut_step_start_landing(const AbutModel *model, AbutIsland *island);

#endif
