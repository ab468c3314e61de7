/* What polytopes share with padded ones. */
#ifndef SHAPES_POLYTOPE_H
#define SHAPES_POLYTOPE_H

#include "abut/shape.h"
#include "shapes/hull.h"

/* Facets of a polytope that lie within this part of its size of one plane are one row. */
#define ABUT_COPLANAR 1e-9

/* Most points or halfspaces of one polytope. */
#define ABUT_POLYTOPE_MAX 10000000

/* The hull of a box's or polytope's vertices, in its own frame. */
AbutStatus abut_polytope_hull(const AbutShape *shape, AbutHull **out, AbutError *error);

#endif
