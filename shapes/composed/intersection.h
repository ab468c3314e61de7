/* Intersections: the stacked rows of all parts, each part with auxiliary variables of its own. */
#ifndef SHAPES_COMPOSED_INTERSECTION_H
#define SHAPES_COMPOSED_INTERSECTION_H

#include "shapes/composed/composite.h"

/* Creates the intersection of n >= 2 bounded shapes with its mass, only for weighing and for further intersections: its
 * scaling centre is some point inside. `*out` is NULL and the status ABUT_OK if the intersection is empty or so thin
 * that its volume is at most `*missed` (m^3). `harmless` as above. ABUT_ERROR_NUMERICAL if the programs do not
 * converge. */
AbutStatus abut_shape_common(int n, const AbutShape *const *parts, double harmless, AbutShape **out, double *missed,
                             AbutError *error);

#endif
