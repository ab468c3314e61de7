/* Sets up an island's problem. */
#pragma once

#include "dynamics/body/body.h"
#include "dynamics/island/island.h"
#include "dynamics/pairs/islands.h"

/* Sets up the island's problem for a timestep, with the candidates in island->chosen (n_chosen) as its contacts. */
void abut_island_setup(const AbutModel *model, AbutBodyWork *bodies, AbutNearPairs *pairs,
                       const AbutPartition *partition, const AbutIslandMembers *members, int n_chosen, double timestep,
                       AbutIsland *island);
