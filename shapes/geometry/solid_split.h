/* Divides a solid by a plane. */
#pragma once

#include "shapes/geometry/solid.h"

/* Appends the connected pieces on both sides of the plane, those below it first. Vertices within `tolerance` (m) of the
 * plane count as on it and do not move, so that the volumes of the pieces add up exactly
 * (shapes/geometry/solid_split.c). */
bool abut_solid_split(const AbutSolid *solid, const AbutPlane *plane, double tolerance, AbutSolidList *out);
