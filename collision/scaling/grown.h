/* Starts of the collision problem from the growth distance of the two shapes. */
#ifndef COLLISION_SCALING_GROWN_H
#define COLLISION_SCALING_GROWN_H

#include <stdbool.h>

#include "collision/growth/answer.h"
#include "collision/scaling/scaling_parts.h"

/* Sets alpha, the duals and eps of both sides from a growth distance, for frames of the shapes at `position` (m). False
 * where a side's duals are not found. */
bool abut_scaling_bear(const AbutScalingProblem *problem, const double position[2][3], const AbutGrowth *growth,
                       AbutIterate *iterate);

/* The growth distance's answer (growth.h) as a start: y, p from the problem's origin, and z. False where that is not
 * found, or the centre of one lies in that of the other, or in a halfspace. */
bool abut_scaling_start_grown(const AbutScalingProblem *problem, AbutIterate *iterate);

#endif
