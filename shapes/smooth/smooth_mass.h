/* Mass properties of smooth shapes, by rays from the centre. */
#ifndef SHAPES_SMOOTH_SMOOTH_MASS_H
#define SHAPES_SMOOTH_SMOOTH_MASS_H

#include <stdbool.h>

#include "abut/smooth.h"

/* Computes the mass properties at density 1 by integration over directions around the centre, and the smallest reach
 * seen. Returns false if the relative error exceeds ABUT_SMOOTH_MASS_ERROR; `error` receives it, or INFINITY if a
 * function was not finite. */
bool abut_smooth_mass(const AbutSmooth *f, AbutMassProperties *out, double *inner_radius, double *error);

#endif
