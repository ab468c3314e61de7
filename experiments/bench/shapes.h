/* Makes the shapes of the benchmarks, each about 1 m across. */
#pragma once

#include "abut/shape.h"

/* Makes a shape of the kind. The polytope is an octahedron, the padded polytope a box. */
AbutStatus abut_bench_shape(AbutShapeKind kind, AbutShape **out, AbutError *error);

/* Makes the convex hull of 27 points on a sphere, with some 50 faces. */
AbutStatus abut_bench_many_faced(AbutShape **out, AbutError *error);

/* Makes a round block with 64 faces and 124 vertices, which stands on one of its two large faces. */
AbutStatus abut_bench_hull_64(AbutShape **out, AbutError *error);
