/* Computes the growth distance at the flat end of a cylinder or a cone. */
#pragma once

#include <stdbool.h>

#include "collision/growth/ray.h"

/* Returns whether the ray leaves C through the flat end of side k: the disc of `pieces`. If it does not, n becomes the
 * direction from which to continue, or zero if there is none. */
bool abut_growth_end(AbutRay *ray, const AbutPieces *pieces, int k, double n[3], AbutGrowth *out);
