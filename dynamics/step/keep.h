/* Keeps an island's solution in the workspace. */
#ifndef DYNAMICS_STEP_KEEP_H
#define DYNAMICS_STEP_KEEP_H

#include "dynamics/island/island.h"
#include "dynamics/step/workspace.h"

/* Returns a pair's result before the step: its bodies and parts, otherwise zero. */
AbutContact abut_contact_blank(const AbutModel *model, const AbutPair *pair);
/* Keeps the island's solution in the workspace; impulses add up over the parts of a step. */
void abut_step_keep(const AbutModel *model, AbutWorkspace *w, AbutIsland *island, AbutStepInfo *info);

#endif
