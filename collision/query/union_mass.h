/* Mass properties of a union of shapes that may overlap. */
#ifndef COLLISION_QUERY_UNION_MASS_H
#define COLLISION_QUERY_UNION_MASS_H

#include "abut/bundle.h"

/* Of all parts as if none overlapped: exact for parts that do not, and for those of one. */
AbutMassProperties abut_parts_mass(int n, const AbutShape *const *parts);

/* Of the union of bundles, of which those that were given a mass count with that. */
AbutStatus abut_bundles_mass(int n, const AbutBundle *const *bundles, AbutMassProperties *out, AbutError *error);

#endif
