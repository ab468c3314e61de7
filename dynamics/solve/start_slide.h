/* The warm start of a contact that slides over a fixed body. */
#pragma once

#include "dynamics/island/island.h"

/* Updates friction, contact place and velocity if the island's only contact slides over a fixed body. */
void abut_step_slide(AbutIsland *island);
