/* Which complementarity condition holds with equality at an exact solution. */
#ifndef EXPERIMENTS_REFERENCE_EXTENDED_MODES_H
#define EXPERIMENTS_REFERENCE_EXTENDED_MODES_H

#include "experiments/reference/extended_island.h"

/* extended_modes.c: what of an exact solution holds. With kappa > 0 that is the path's law for all. */
void abut_extended_choose_modes(AbutExtendedIsland *island);

/* The least distance of the solution from one of other modes: infinite with kappa > 0. */
long double abut_extended_margin(const AbutExtendedIsland *island);

#endif
