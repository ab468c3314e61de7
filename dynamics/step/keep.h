/* Stores an island's solution in the workspace. */
#pragma once

#include "dynamics/island/island.h"
#include "dynamics/step/workspace.h"

/* Returns the result of a pair before the step: its bodies and parts; all other fields are zero. */
AbutContact abut_contact_blank(const AbutModel *model, const AbutPair *pair);
/* Stores the island's solution in the workspace. Impulses are summed over the parts of a step. */
void abut_step_keep(const AbutModel *model, AbutWorkspace *w, AbutIsland *island, AbutStepInfo *info);
