/* Computes mass properties of a shape from rays that start at a point inside. */
#pragma once

#include "abut/shape.h"
#include "shapes/composed/composite.h"

/* Integrates the mass properties of any bounded shape except smooth ones, from rays that start at the point `from`
 * inside. `relative_error` is relative to the volume, to the extents for the centre, and to the trace for the inertia.
 * A table in mass_rays.c sets the error goal and the number of rays by the cost of a ray (shapes/composed/reach.h). If
 * `harmless` m^3 is a larger error, it is the goal. If the work of `how` is used up, the
 * error is larger. Returns ABUT_ERROR_NUMERICAL if a ray has no end, ABUT_ERROR_STOPPED if `how` ends the call, or
 * ABUT_ERROR_MEMORY. */
AbutStatus abut_mass_by_rays(const AbutShape *shape, const double from[3], double harmless, const AbutComposing *how,
                             AbutMassProperties *out, double *relative_error);
/* Integrates like abut_mass_by_rays the mass properties of the union of `n` shapes `parts`, within the shape `within`
 * if it is not NULL. `from` lies inside all of these shapes. */
AbutStatus abut_star_mass_by_rays(int n, const AbutShape *const *parts, const AbutShape *within, const double from[3],
                                  double harmless, const AbutComposing *how, AbutMassProperties *out,
                                  double *relative_error);
