/* Mass properties of a shape by rays from a point inside. */
#ifndef SHAPES_COMPOSED_MASS_RAYS_H
#define SHAPES_COMPOSED_MASS_RAYS_H

#include "abut/shape.h"

/* Integrates the mass properties of any bounded shape except smooth ones, seen from the point `from` inside.
 * `relative_error` is relative to the volume, to the extents for the centre and to the trace for the inertia. A table
 * in mass_rays.c sets the error goal, or `harmless` m^3 of volume if that is more, and the number of rays, depending on
 * the cost of a ray (shapes/composed/reach.h). ABUT_ERROR_NUMERICAL: a ray has no end; ABUT_ERROR_MEMORY. */
AbutStatus abut_mass_by_rays(const AbutShape *shape, const double from[3], double harmless, AbutMassProperties *out,
                             double *relative_error);

#endif
