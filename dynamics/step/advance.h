/* Advances one island through a step. */
#pragma once

#include "dynamics/island/island.h"
#include "dynamics/pairs/islands.h"
#include "dynamics/step/workspace.h"

/* Advances an island through the step, in the memory of one thread; in parts if the whole step cannot be solved. Writes
 * the solution to the workspace's motion, store and results. */
void abut_step_advance(const AbutModel *model, const AbutState *state, AbutWorkspace *w, const AbutStepWatch *watch,
                       AbutIslandMembers *members, AbutIsland *island);
