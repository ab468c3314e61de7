/* Loads the memory that a contact starts from. */
#ifndef DYNAMICS_STEP_LOAD_H
#define DYNAMICS_STEP_LOAD_H

#include "dynamics/step/workspace.h"

/* Loads a candidate's memory from the state into the workspace's store. */
void abut_step_load_memory(const AbutState *state, AbutWorkspace *w, int index);

#endif
