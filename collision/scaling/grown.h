/* Computes starts of the collision problem from the growth distance of the two shapes. */
#pragma once

#include <stdbool.h>

#include "collision/growth/ray.h"
#include "collision/scaling/scaling_parts.h"

/* Sets alpha, and the duals and eps of both sides, from a growth distance. `position` is that of each shape's frame
 * (world, m). Returns false if the duals of a side are not found. */
bool abut_scaling_bear(const AbutScalingProblem *problem, const double position[2][3], const AbutGrowth *growth,
                       AbutIterate *iterate);

/* Sets y, with p relative to the problem's origin, and z from the growth distance (growth.h). Returns false if the
 * growth distance is not found, or if alpha is nearly 0: the centres coincide, or a centre lies in a halfspace. */
bool abut_scaling_start_grown(const AbutScalingProblem *problem, AbutIterate *iterate);
