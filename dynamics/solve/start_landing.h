/* The warm start of a polytope that hits a halfspace. */
#pragma once

#include "dynamics/island/island.h"

/* Starts the island's only contact if a polytope hits a halfspace. Returns false, with the bodies where they were, if
 * it does not hit or the start fails. */
bool abut_step_start_landing(const AbutModel *model, AbutIsland *island);
