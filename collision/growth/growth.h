/* The growth distance of two shapes at fixed poses, to rounding, from their support functions (docs/formulation.md 9):
 * the least alpha at which both, scaled by it about their centres, share a point.
 *
 * With C the set of differences a - b of points of the two shapes about their centres, and D the vector from one centre
 * to the other,
 *
 *     alpha = min { t : D in t C } = max over n of n.D / h_C(n),      h_C(n) = h_a(n) + h_b(-n):
 *
 * the ray along D leaves C, scaled. The portal (growth.c) approaches the point from inside, Newton's method
 * (collision/growth/newton.c) the normal from outside. No allocation, no state but the caller's. The relaxed problem,
 * which can be differentiated throughout, is in scaling.h. Tested in tests/collision/test_growth.c. */
#ifndef COLLISION_GROWTH_GROWTH_H
#define COLLISION_GROWTH_GROWTH_H

#include <stdbool.h>

#include "collision/growth/ray.h"

/* Solves for two bounded shapes. Starts from `contact`, or cold if that is empty, and replaces it. If the centres
 * coincide, alpha is 0 and the normal a's own z. Returns false if the remaining error exceeds 1e-9 of alpha. */
bool abut_growth_solve(const AbutGrowthSide *a, const AbutGrowthSide *b, AbutGrowthContact *contact, AbutGrowth *out);

/* Solves for a bounded shape and a halfspace: alpha h(-n) = height of the centre above the plane, alpha = 0 if the
 * centre is below it. Returns the gap, which has a normal for every alpha. */
double abut_growth_above_plane(const AbutGrowthSide *shape, const AbutGrowthSide *plane, AbutGrowth *out);

#endif
