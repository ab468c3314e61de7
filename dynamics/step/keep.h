/* An island's solution into the workspace. */
#ifndef DYNAMICS_STEP_KEEP_H
#define DYNAMICS_STEP_KEEP_H

#include "dynamics/island/island.h"
#include "dynamics/step/workspace.h"

/* Returns a pair's result before its step: named, and zero. */
AbutContact abut_contact_blank(const AbutModel *model, const AbutPair *pair);
/* Keeps the island's solution in the workspace; impulses add up over the parts of a step. */
void abut_step_keep(const AbutModel *model, AbutWorkspace *w, AbutIsland *island, AbutStepInfo *info);

#endif
