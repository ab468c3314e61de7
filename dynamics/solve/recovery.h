/* Recovery from initial overlap at a limited speed (docs/formulation.md 8). */
#pragma once

#include "dynamics/island/island.h"

#define ABUT_RECOVERY_SPEED 1.0 /* greatest speed at which overlaps separate, in units of sqrt(g L) */

/* Limits how much of the initial overlap this step removes. Call after the set-up. */
void abut_step_recovery(const AbutModel *model, AbutIsland *island);
