/* Computes mass properties of smooth shapes from rays that start at the centre. */
#pragma once

#include <stdbool.h>

#include "abut/smooth.h"

/* Computes the mass properties at density 1 by integration over directions around the centre. `inner_radius` receives
 * the smallest reach found (m). Returns false if the relative error exceeds ABUT_SMOOTH_MASS_ERROR. `error` receives
 * this error, or INFINITY if a function was not finite. */
bool abut_smooth_mass(const AbutSmooth *f, AbutMassProperties *out, double *inner_radius, double *error);
