/* Mass properties of a union of shapes that may overlap. */
#ifndef COLLISION_QUERY_UNION_MASS_H
#define COLLISION_QUERY_UNION_MASS_H

#include "abut/bundle.h"

/* Returns the mass of all parts as if none overlapped: exact for parts that do not, and for a single part. */
AbutMassProperties abut_parts_mass(int n, const AbutShape *const *parts);

/* Computes the mass of the union of bundles; bundles with a given mass count with that. */
AbutStatus abut_bundles_mass(int n, const AbutBundle *const *bundles, AbutMassProperties *out, AbutError *error);

#endif
