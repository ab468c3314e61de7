/* Furthest points of a side. */
#ifndef COLLISION_MANIFOLD_SUPPORT_H
#define COLLISION_MANIFOLD_SUPPORT_H

#include <stdbool.h>

#include "collision/manifold/manifold_parts.h"

/* Returns the largest n . p over the side, n of unit length, world. */
double abut_manifold_reach(const AbutManifoldSide *side, const double n[3]);

/* Finds the furthest point e along n of the round part about the side's pieces, without the ball of its radius, and its
 * derivative by n. Returns false if it is not unique. */
bool abut_manifold_round(const AbutManifoldSide *side, const double n[3], double e[3], double bend[9]);

#endif
