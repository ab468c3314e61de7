/* Computes the growth distance of two shapes at fixed poses, to rounding, from their support functions
 * (docs/formulation.md 9). It is the least alpha at which both shapes, scaled by alpha about their centres, share a
 * point.
 *
 * Let C be the set of differences a - b of points of the two shapes, each relative to its centre, and D the vector from
 * a's centre to b's. With h(n) = max n.p over a set,
 *
 *     alpha = min { t : D in t C } = max over n of n.D / h_C(n),      h_C(n) = h_a(n) + h_b(-n):
 *
 * the ray along D leaves the scaled set alpha C at D. The portal (growth.c) approaches this point from inside; Newton's
 * method (collision/growth/newton.c) approaches the normal from outside. The functions do not allocate, and keep state
 * only in the caller's `contact`. The relaxed problem, which is differentiable everywhere, is in scaling.h. Tested in
 * tests/collision/test_growth.c. */
#pragma once

#include <stdbool.h>

#include "collision/growth/ray.h"

/* Solves for two bounded shapes. Starts from `contact`, or without a start if it is empty, and replaces it. If the
 * centres coincide, alpha is 0 and the normal is the z axis of a's own frame. Returns false if the remaining error
 * exceeds 1e-9 alpha. */
bool abut_growth_solve(const AbutGrowthSide *a, const AbutGrowthSide *b, AbutGrowthContact *contact, AbutGrowth *out);

/* Solves for a bounded shape and a halfspace: alpha = height / h(-n), with the height of the shape's centre above the
 * plane and n the plane's normal. If the centre is below the plane, alpha is 0. Returns the gap (m). */
double abut_growth_above_plane(const AbutGrowthSide *shape, const AbutGrowthSide *plane, AbutGrowth *out);
