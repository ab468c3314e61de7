/* Stores an island's solution in the workspace, and loads the stored solution from which a contact starts. */
#pragma once

#include "dynamics/island/island.h"
#include "dynamics/step/workspace.h"

/* Returns the result of a pair before the step: its bodies and parts; all other fields are zero. */
AbutContact abut_contact_blank(const AbutModel *model, const AbutPair *pair);
/* Stores the island's solution in the workspace. Impulses are summed over the parts of a step. */
void abut_step_keep(const AbutModel *model, AbutWorkspace *w, AbutIsland *island, AbutStepInfo *info);
/* Resets the memory of an island's joints to the beginning of the step. */
void abut_step_restart_joints(const AbutState *state, AbutWorkspace *w, const AbutIslandMembers *members);
/* Resets an island to the beginning of the step: motion, the memory from which its contacts start, and their results.
 * With `resume`, contacts solved before keep those solutions. Notifies `watch`, unless NULL. */
void abut_step_restart(const AbutModel *model, const AbutState *state, AbutWorkspace *w,
                       const AbutIslandMembers *members, bool resume, const AbutStepWatch *watch);
