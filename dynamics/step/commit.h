/* Copies the solutions of all islands to the state. */
#pragma once

#include "dynamics/step/workspace.h"

/* Copies the motion and contact memory of a solved step to the state. If it returns ABUT_ERROR_MEMORY, the state is
 * unchanged. */
AbutStatus abut_step_commit(const AbutModel *model, AbutState *state, AbutWorkspace *w);
