/* Shapes of the benchmarks, about a metre across. */
#ifndef EXPERIMENTS_BENCH_SHAPES_H
#define EXPERIMENTS_BENCH_SHAPES_H

#include "abut/shape.h"

/* Makes a shape of the kind; the polytope is an octahedron, the padded one a box. */
AbutStatus abut_bench_shape(AbutShapeKind kind, AbutShape **out, AbutError *error);

/* Makes the hull of 27 points of a sphere: some 50 faces. */
AbutStatus abut_bench_many_faced(AbutShape **out, AbutError *error);

/* Makes a round block that stands on one of its two large faces: 64 faces, 124 vertices. */
AbutStatus abut_bench_hull_64(AbutShape **out, AbutError *error);

#endif
