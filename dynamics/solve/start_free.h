/* The start from free flight. */
#ifndef DYNAMICS_SOLVE_START_FREE_H
#define DYNAMICS_SOLVE_START_FREE_H

#include "dynamics/island/island.h"

/* kappa at which collision problems alone are as good as exact. */
#define ABUT_FLIGHT_KAPPA 1e-11

/* Starts all contacts without force, with the bodies flying freely, where this is the motion of the step. False where
 * that is not certain; the iterate is then of no use. Otherwise it is evaluated, and a solution at ABUT_FLIGHT_KAPPA.
 */
bool abut_step_start_free(const AbutModel *model, AbutIsland *island);

#endif
