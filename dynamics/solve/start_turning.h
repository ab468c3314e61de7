/* The warm start of contacts in a step that turns far. */
#ifndef DYNAMICS_SOLVE_START_TURNING_H
#define DYNAMICS_SOLVE_START_TURNING_H

#include "dynamics/island/island.h"

/* Computes place and normal of round contacts anew if the step turns them far. */
void abut_step_turn(AbutIsland *island);

#endif
