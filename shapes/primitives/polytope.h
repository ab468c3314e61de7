/* What polytopes share with padded ones. */
#ifndef SHAPES_PRIMITIVES_POLYTOPE_H
#define SHAPES_PRIMITIVES_POLYTOPE_H

#include "abut/shape.h"
#include "shapes/hull/hull.h"

/* Facets of a polytope that lie within this part of its size of one plane are one row. */
#define ABUT_COPLANAR 1e-9

/* The most that may be asked for in its place. */
#define ABUT_COPLANAR_MAX 1e-3

/* Most points or halfspaces of one polytope. */
#define ABUT_POLYTOPE_MAX 10000000

/* The hull's faces as rows, about its centre of mass. `coplanar` is the tolerance that the hull was made with, `where`
 * names it in errors. */
AbutStatus abut_polytope_from_hull(const AbutHull *hull, double coplanar, const char *where, AbutShape **out,
                                   AbutError *error);

/* The hull of a box's or polytope's vertices, in its own frame. */
AbutStatus abut_polytope_hull(const AbutShape *shape, AbutHull **out, AbutError *error);

#endif
