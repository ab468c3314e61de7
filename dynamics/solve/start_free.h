/* The start from free flight. */
#ifndef DYNAMICS_SOLVE_START_FREE_H
#define DYNAMICS_SOLVE_START_FREE_H

#include "dynamics/island/island.h"

/* kappa at which collision problems alone are nearly exact. */
#define ABUT_FLIGHT_KAPPA 1e-11

/* Starts all contacts without force, with the bodies flying freely, if this is the motion of the step. Returns false if
 * that is not certain; the iterate is then useless. Otherwise it is evaluated, and a solution at ABUT_FLIGHT_KAPPA. */
bool abut_step_start_free(const AbutModel *model, AbutIsland *island);

#endif
