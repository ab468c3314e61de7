/* Solves a step again while the impulses of its joints ask for another direction. */
#pragma once

#include "abut/model.h"
#include "dynamics/island/island.h"

/* Solves from the present solution; returns false on failure. */
typedef bool AbutSolveAgain(const void *data);

/* Solves again, at most four times, while the impulses of the solution ask for another direction
 * (dynamics/joint/direction.h). If that fails, returns to the last solution, and `info` to its accuracy. `again` must
 * not use island->path. */
void abut_step_redirect(AbutIsland *island, AbutSolveAgain *again, const void *data, AbutStepInfo *info);
