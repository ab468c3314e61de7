/* Makes a coarse copy of a solid by clustering its vertices. */
#pragma once

#include "shapes/decompose/piece.h"

/* Returns a coarse copy of the solid, with about `target` triangles, for fast searches. Returns NULL when out of memory
 * (shapes/decompose/proxy.c). */
AbutSolid *abut_solid_coarsen(const AbutSolid *solid, int target);
