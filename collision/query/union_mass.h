/* Computes mass properties of a union of shapes that may overlap. */
#pragma once

#include "abut/bundle.h"
#include "base/stop.h"

/* Returns the sum of the masses of all parts, which is exact if they do not overlap. */
AbutMassProperties abut_parts_mass(int n, const AbutShape *const *parts);

/* Computes the mass of the union of bundles. If a bundle has a given mass, this mass is used. `stop` may end the call
 * early with ABUT_ERROR_STOPPED; NULL: never. */
AbutStatus abut_bundles_mass(int n, const AbutBundle *const *bundles, AbutStopper *stop, AbutMassProperties *out,
                             AbutError *error);
/* Computes the mass of one bundle like abut_bundle_mass. */
AbutStatus abut_bundle_weigh(const AbutBundle *bundle, AbutStopper *stop, AbutMassProperties *out, double *mass_error,
                             AbutError *error);
