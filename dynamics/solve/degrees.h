/* Homotopies: load or friction is increased by degrees. */
#ifndef DYNAMICS_SOLVE_DEGREES_H
#define DYNAMICS_SOLVE_DEGREES_H

#include "dynamics/island/island.h"

/* Solves for a tenth of the bodies' momentum, then by degrees for all of it. */
bool abut_stage_by_load(const AbutModel *model, AbutIsland *island, AbutStepInfo *info);
/* Solves for the share `first` of friction, then by degrees for all of it. */
bool abut_stage_by_friction(const AbutModel *model, AbutIsland *island, double first, AbutStepInfo *info);

#endif
