/* Computes the growth distance of two spheres or capsules in closed form; growth.h handles all pairs. */
#pragma once

#include "collision/growth/growth.h"

/* Returns whether a shape is a sphere or a capsule. */
bool abut_is_round(const AbutShape *shape);

/* Solves for two such shapes. Returns false if the centres coincide, or if rounding leaves an error above 1e-12 max(1,
 * alpha). `supports` is set to 1. */
bool abut_rounds_solve(const AbutGrowthSide *a, const AbutGrowthSide *b, AbutGrowth *out);
