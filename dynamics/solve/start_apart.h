/* Starts that solve the collision problems separately. */
#pragma once

#include "dynamics/island/island.h"

/* Starts from free flight: solves each contact's collision problem alone at the resulting poses, then smooths
 * everything. Slower than the cold start, but often succeeds where the cold start fails. */
void abut_step_start_apart(AbutIsland *island);
/* Starts as abut_step_start_apart does, but with the bodies at rest. */
void abut_step_start_still(AbutIsland *island);
