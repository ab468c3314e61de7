/* Mass properties of smooth shapes, by rays from the centre. */
#ifndef SHAPES_SMOOTH_SMOOTH_MASS_H
#define SHAPES_SMOOTH_SMOOTH_MASS_H

#include <stdbool.h>

#include "abut/smooth.h"

/* Mass of density 1 by integration in directions about the centre, with the inner radius that was seen. False with a
 * relative error above ABUT_SMOOTH_MASS_ERROR, which is then in `error`: INFINITY when a function was not finite. */
bool abut_smooth_mass(const AbutSmooth *f, AbutMassProperties *out, double *inner_radius, double *error);

#endif
