/* Creates polytopes from hulls, and hulls of polytopes. */
#pragma once

#include "abut/shape.h"
#include "shapes/hull/hull.h"

/* Facets that deviate from one plane by less than this fraction of the polytope's size become one row. */
#define ABUT_COPLANAR 1e-9

/* Largest value that users may choose instead. */
#define ABUT_COPLANAR_MAX 1e-3

/* Largest number of points or halfspaces of a polytope. */
#define ABUT_POLYTOPE_MAX 10000000

/* Creates a polytope with the hull's faces as rows; it scales about its centre of mass. `coplanar`, the tolerance with
 * which the hull was made, is stored in the shape for abut_polytope_hull. `where` names the hull's input in errors. */
AbutStatus abut_polytope_from_hull(const AbutHull *hull, double coplanar, const char *where, AbutShape **out,
                                   AbutError *error);

/* Computes the hull of a box or polytope, in its own frame. */
AbutStatus abut_polytope_hull(const AbutShape *shape, AbutHull **out, AbutError *error);
