/* Sets the workspace's bodies from the state, in model units. */
#pragma once

#include "dynamics/body/body.h"
#include "dynamics/state/state.h"
#include "dynamics/step/workspace.h"

/* Sets the bodies of an island from their motion. */
void abut_step_gather_island(const AbutModel *model, const AbutState *state, AbutWorkspace *w,
                             const AbutIslandMembers *members, double timestep);
/* Sets all bodies from the state, for a given timestep. */
void abut_step_gather(const AbutModel *model, const AbutState *state, AbutWorkspace *w, double timestep);
