/* The growth distance of two round shapes, spheres and capsules, in closed form (growth.h has the general one). */
#ifndef COLLISION_GROWTH_ROUNDS_H
#define COLLISION_GROWTH_ROUNDS_H

#include "collision/growth/growth.h"

/* Whether a shape is a segment, or a point, padded by a ball. */
bool abut_is_round(const AbutShape *shape);

/* False where the centres coincide, or rounding leaves an error above 1e-12 of alpha (relative above 1). `supports` is
 * 1. */
bool abut_rounds_solve(const AbutGrowthSide *a, const AbutGrowthSide *b, AbutGrowth *out);

#endif
