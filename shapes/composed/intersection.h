/* Creates intersections: the stacked rows of all parts, each part with auxiliary variables of its own. */
#pragma once

#include "shapes/composed/composite.h"

/* Creates an intersection like abut_shape_create_intersection; `stop` may end the call early; NULL: never. */
AbutStatus abut_intersection(int n, const AbutShape *const *parts, AbutStopper *stop, AbutShape **out,
                             AbutError *error);

/* Creates the intersection of n >= 2 bounded shapes with its mass. It serves only for weighing and for further
 * intersections, because its scaling centre is an arbitrary point inside. If it is empty, or so thin that its volume is
 * at most `*missed` (m^3), `*out` is NULL and the status ABUT_OK. `harmless` is that of abut_composite_weigh. Returns
 * ABUT_ERROR_NUMERICAL if a program does not converge. */
AbutStatus abut_shape_common(int n, const AbutShape *const *parts, double harmless, const AbutComposing *how,
                             AbutShape **out, double *missed, AbutError *error);

/* Finds a point inside all of n >= 2 bounded shapes. `*found` is false if there is none, or if none is found. */
AbutStatus abut_shape_common_point(int n, const AbutShape *const *parts, double point[3], bool *found,
                                   AbutError *error);
