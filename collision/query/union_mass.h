/* Computes mass properties of a union of shapes that may overlap. */
#pragma once

#include "abut/bundle.h"

/* Returns the sum of the masses of all parts, which is exact if they do not overlap. */
AbutMassProperties abut_parts_mass(int n, const AbutShape *const *parts);

/* Computes the mass of the union of bundles. If a bundle has a given mass, this mass is used. */
AbutStatus abut_bundles_mass(int n, const AbutBundle *const *bundles, AbutMassProperties *out, AbutError *error);
