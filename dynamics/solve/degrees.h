/* Homotopies: solutions followed as load or friction changes by degrees. */
#pragma once

#include "dynamics/island/island.h"

/* Solves for a tenth of the bodies' momentum without contact, then by degrees for the full momentum. */
bool abut_stage_by_load(const AbutModel *model, AbutIsland *island, AbutStepInfo *info);
/* Solves for the share `first` of friction, then by degrees for the pair's own friction. */
bool abut_stage_by_friction(const AbutModel *model, AbutIsland *island, double first, AbutStepInfo *info);
