/* The step of a body alone. */
#ifndef DYNAMICS_SOLVE_ALONE_H
#define DYNAMICS_SOLVE_ALONE_H

#include "dynamics/island/island.h"

/* Solves the step of a body that touches nothing. Returns false for any other island, and if it does not converge; then
 * call abut_step_solve. Call after the set-up. */
bool abut_step_fly(const AbutModel *model, AbutIsland *island, AbutStepInfo *info);

#endif
