/* Newton's method for the growth distance. */
#ifndef COLLISION_GROWTH_NEWTON_H
#define COLLISION_GROWTH_NEWTON_H

#include <stdbool.h>

#include "collision/growth/ray.h"

/* Runs Newton's method from a direction n and the pieces of `contact`, which become those of the answer, or none.
 * Returns false if it does not reach the answer. */
bool abut_growth_newton(AbutRay *ray, const double n[3], AbutGrowthContact *contact, AbutGrowth *out);

#endif
