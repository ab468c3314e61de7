/* Contacts that a step turns far. */
#ifndef DYNAMICS_SOLVE_START_TURNING_H
#define DYNAMICS_SOLVE_START_TURNING_H

#include "dynamics/island/island.h"

/* Recomputes place and normal of round contacts that the step turns far. */
void abut_step_turn(AbutIsland *island);

#endif
