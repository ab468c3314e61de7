/* The step of a body alone. */
#ifndef DYNAMICS_SOLVE_ALONE_H
#define DYNAMICS_SOLVE_ALONE_H

#include "dynamics/island/island.h"

/* Takes the step of a body that touches nothing. False for any other island, and where it does not get there; then
 * abut_step_solve is for it. Call after the set-up. */
bool abut_step_fly(const AbutModel *model, AbutIsland *island, AbutStepInfo *info);

#endif
