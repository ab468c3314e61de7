/* Computes the growth distance by Newton's method. */
#pragma once

#include <stdbool.h>

#include "collision/growth/ray.h"

/* Runs Newton's method from a direction n (world) and from the pieces of `contact`. `contact` then holds the pieces of
 * the answer, or none. Returns false if the method does not converge. */
bool abut_growth_newton(AbutRay *ray, const double n[3], AbutGrowthContact *contact, AbutGrowth *out);

/* Returns whether the ray leaves C through the flat end of side k: the disc of `pieces`. If it does not, n becomes the
 * direction from which to continue, or zero if there is none. */
bool abut_growth_end(AbutRay *ray, const AbutPieces *pieces, int k, double n[3], AbutGrowth *out);
