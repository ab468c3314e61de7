/* Makes sample shapes of every kind and random poses for the tests of shapes. Tests membership by the conic rows. */
#pragma once

#include "abut/shape.h"
#include "base/rng.h"
#include "sample_composite.h" /* sample_move as well */

/* Makes a shape of the kind with random sizes around `size`, in its own frame. Fails the test if it cannot be made. */
AbutShape *sample_shape(AbutShapeKind kind, double size, AbutRng *rng);
/* Makes the convex hull of n random points (normal, times size), about `offset` along each axis. */
AbutShape *sample_polytope(int n, double size, double offset, AbutRng *rng);
void sample_direction(AbutRng *rng, double u[3]);

/* Returns the signed margin of p in the shape scaled by alpha, by the rows alone: the smallest s_i of the orthant and
 * s_0 - |s_rest| of the cones, with the best eps. Up to rounding, it is not negative if p is inside. */
double conic_margin(const AbutShape *shape, double alpha, const double p[3]);
