/* A polytope that strikes a halfspace. */
#ifndef DYNAMICS_SOLVE_START_LANDING_H
#define DYNAMICS_SOLVE_START_LANDING_H

#include "dynamics/island/island.h"

/* Starts the island's one contact where a polytope hits a halfspace. False where it does not, or where nothing comes of
 * it, with the bodies where they were. */
bool abut_step_start_landing(const AbutModel *model, AbutIsland *island);

#endif
