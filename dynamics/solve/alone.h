/* The step of a body without contacts. */
#pragma once

#include "dynamics/island/island.h"

/* Solves the step of an island that is one body without contacts. Returns false for any other island, or if the step
 * does not converge; call abut_step_solve then. Call after the set-up. */
bool abut_step_fly(const AbutModel *model, AbutIsland *island, AbutStepInfo *info);
