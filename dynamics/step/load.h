/* Loads the stored solution from which a contact starts. */
#pragma once

#include "dynamics/step/workspace.h"

/* Copies a candidate's memory from the state's store to the workspace's store. */
void abut_step_load_memory(const AbutState *state, AbutWorkspace *w, int index);
