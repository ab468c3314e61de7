/* Sets the workspace's bodies from the state, in model units. */
#pragma once

#include "dynamics/body/body.h"
#include "dynamics/state/state.h"
#include "dynamics/step/workspace.h"

/* Sets a body of the workspace from its motion, for a given timestep. */
void abut_step_gather_body(const AbutModel *model, const AbutState *state, const AbutMotion *motion, double timestep,
                           AbutBodyWork *work);
/* Sets all bodies from the state, for the model's timestep. */
void abut_step_gather(const AbutModel *model, const AbutState *state, AbutWorkspace *w);
