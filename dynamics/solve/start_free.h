/* The start from free flight. */
#ifndef DYNAMICS_SOLVE_START_FREE_H
#define DYNAMICS_SOLVE_START_FREE_H

#include "dynamics/island/island.h"

/* kappa at which a collision problem alone counts as exact. */
#define ABUT_FLIGHT_KAPPA 1e-11

/* Starts all contacts without force, with the bodies flying freely, if that is the motion of the step. The iterate is
 * then evaluated, and a solution at ABUT_FLIGHT_KAPPA. Returns false if this is not certain; the iterate is then
 * undefined. */
bool abut_step_start_free(const AbutModel *model, AbutIsland *island);

#endif
