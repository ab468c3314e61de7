/* Starts of the collision problem from the growth distance of the two shapes. */
#ifndef COLLISION_SCALING_GROWN_H
#define COLLISION_SCALING_GROWN_H

#include <stdbool.h>

#include "collision/growth/ray.h"
#include "collision/scaling/scaling_parts.h"

/* Sets alpha, the duals and eps of both sides from a growth distance; `position` (m) of the shapes' frames. Returns
 * false if a side's duals are not found. */
bool abut_scaling_bear(const AbutScalingProblem *problem, const double position[2][3], const AbutGrowth *growth,
                       AbutIterate *iterate);

/* Starts from the growth distance (growth.h): sets y, with p from the problem's origin, and z. Returns false if it is
 * not found, or if one shape's centre lies in the other's, or in a halfspace. */
bool abut_scaling_start_grown(const AbutScalingProblem *problem, AbutIterate *iterate);

#endif
