/* The warm start of contacts in a step in which bodies turn far. */
#pragma once

#include "dynamics/island/island.h"

/* Computes place and normal of contacts anew if they do not move with the material and a body turns far in the step. */
void abut_step_turn(AbutIsland *island);
