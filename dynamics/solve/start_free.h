/* The start from free flight. */
#pragma once

#include "dynamics/island/island.h"

/* kappa at which a collision problem solved alone counts as exact. */
#define ABUT_FLIGHT_KAPPA 1e-11

/* Starts with all bodies in free flight and all contacts without force, if that is certainly the motion of the step.
 * The iterate is then evaluated, and is a solution at ABUT_FLIGHT_KAPPA. Returns false if it is not certain; the
 * iterate is then undefined. */
bool abut_step_start_free(const AbutModel *model, AbutIsland *island);
