/* Mass properties of a shape by rays from a point inside. */
#ifndef SHAPES_COMPOSED_MASS_RAYS_H
#define SHAPES_COMPOSED_MASS_RAYS_H

#include "abut/shape.h"

/* Of any bounded shape but smooth ones, seen from the point `from` inside. `relative_error` is that of the volume, of
 * the centre to the extents and of the inertia to its trace; what is aimed at, or `harmless` m^3 of volume where that
 * is more, and how many rays are cast for it at most is told by the table in mass_rays.c, by what a ray costs
 * (shapes/composed/reach.h). ABUT_ERROR_NUMERICAL where a ray does not find its way out, ABUT_ERROR_MEMORY. */
AbutStatus abut_mass_by_rays(const AbutShape *shape, const double from[3], double harmless, AbutMassProperties *out,
                             double *relative_error);

#endif
