/* Lists planes that may cut a solid. */
#pragma once

#include "shapes/decompose/piece.h"

bool abut_planes_of(const AbutSolid *solid, const double deepest[3], double on_plane, AbutPlaneList *out);
