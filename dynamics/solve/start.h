/* Starts from the last solution of a step. */
#pragma once

#include "dynamics/island/island.h"

/* Sets the iterate to the last solution, moved with the bodies; if a body lands, to the start of start_landing.h. */
void abut_step_start_warm(const AbutModel *model, AbutIsland *island);
/* Starts from the last solution, with 1e-2 times the cones' identity added to its slacks and duals, as in the
 * single-level paper. */
void abut_step_start_shifted(AbutIsland *island);
