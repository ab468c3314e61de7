/* Lists planes that may cut a solid. */
#ifndef SHAPES_DECOMPOSE_PLANES_H
#define SHAPES_DECOMPOSE_PLANES_H

#include "shapes/decompose/piece.h"

bool abut_planes_of(const AbutSolid *solid, const double deepest[3], double on_plane, AbutPlaneList *out);

#endif
