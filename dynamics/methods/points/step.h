/* Takes one island through a step of method point-ncp. */
#pragma once

#include "dynamics/island/island.h"
#include "dynamics/pairs/islands.h"
#include "dynamics/step/workspace.h"

/* Takes an island through the step, like abut_step_advance. */
void abut_point_advance(const AbutModel *model, const AbutState *state, AbutWorkspace *w, const AbutStepWatch *watch,
                        AbutIslandMembers *members, AbutIsland *island);
