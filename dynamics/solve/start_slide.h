/* A contact that slides over something fixed. */
#ifndef DYNAMICS_SOLVE_START_SLIDE_H
#define DYNAMICS_SOLVE_START_SLIDE_H

#include "dynamics/island/island.h"

/* Turns friction, place and velocity onwards if the island's one contact slides over something fixed. */
void abut_step_slide(AbutIsland *island);

#endif
