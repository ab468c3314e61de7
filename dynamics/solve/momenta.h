/* The momenta of a floating mechanism after the solve of a step. */
#pragma once

#include "dynamics/island/island.h"

/* Moves a mechanism of an exact solution as a whole, by at most the residual of the solve, so that its linear and
 * angular momentum are conserved to rounding. Does nothing if the island has no joints, has a joint to a static body,
 * has planar or quasi-static bodies, or is touched by a contact that presses. */
void abut_step_balance_momenta(AbutIsland *island);
