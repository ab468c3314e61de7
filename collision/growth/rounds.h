/* The growth distance of two round shapes, spheres and capsules, in closed form (growth.h has the general one). */
#ifndef COLLISION_GROWTH_ROUNDS_H
#define COLLISION_GROWTH_ROUNDS_H

#include "collision/growth/growth.h"

/* Returns whether a shape is a segment, or a point, padded by a ball. */
bool abut_is_round(const AbutShape *shape);

/* Returns false if the centres coincide, or if rounding leaves an error above 1e-12 max(1, alpha). `supports` is 1. */
bool abut_rounds_solve(const AbutGrowthSide *a, const AbutGrowthSide *b, AbutGrowth *out);

#endif
