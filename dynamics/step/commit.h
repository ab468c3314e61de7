/* Commits the solutions of all islands to the state. */
#ifndef DYNAMICS_STEP_COMMIT_H
#define DYNAMICS_STEP_COMMIT_H

#include "dynamics/step/workspace.h"

/* Commits motion and memory of a solved step to the state. ABUT_ERROR_MEMORY leaves the state unchanged. */
AbutStatus abut_step_commit(const AbutModel *model, AbutState *state, AbutWorkspace *w);

#endif
