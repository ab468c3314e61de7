/* The growth distance of two shapes at fixed poses to rounding, from their support functions (docs/formulation.md 9):
 * the least alpha at which both, scaled by it about their centres, share a point.
 *
 * With C the set of differences a - b, a and b running over the two shapes about their centres, and D the way from one
 * centre to the other,
 *
 *     alpha = min { t : D in t C } = max over n of n.D / h_C(n),      h_C(n) = h_a(n) + h_b(-n):
 *
 * where the ray along D leaves C, scaled. Either is used: the portal (growth.c) closes in on the point from inside,
 * Newton's method (collision/growth/newton.c) on the normal from outside. No allocation, no state but the caller's. The
 * relaxed problem, which has derivatives of everything, is in scaling.h. Tested in tests/collision/test_growth.c. */
#ifndef COLLISION_GROWTH_GROWTH_H
#define COLLISION_GROWTH_GROWTH_H

#include <stdbool.h>

#include "collision/growth/answer.h"
#include "collision/growth/side.h"

/* Both shapes are bounded. Starts from `contact`, or cold, and replaces it. Where both centres coincide alpha is 0 and
 * the normal a's own z. False when what is left is an error above 1e-9 of alpha. */
bool abut_growth_solve(const AbutGrowthSide *a, const AbutGrowthSide *b, AbutGrowthContact *contact, AbutGrowth *out);

/* A bounded shape and a halfspace: alpha h(-n) = height of the centre above the plane; below it the centre alone is
 * enough, alpha 0. Returns the gap, and a normal, of every alpha. */
double abut_growth_above_plane(const AbutGrowthSide *shape, const AbutGrowthSide *plane, AbutGrowth *out);

#endif
