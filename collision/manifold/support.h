/* Furthest points of a side. */
#ifndef COLLISION_MANIFOLD_SUPPORT_H
#define COLLISION_MANIFOLD_SUPPORT_H

#include <stdbool.h>

#include "collision/manifold/manifold_parts.h"

/* The largest n . p over the side, n of unit length, world. */
double abut_manifold_reach(const AbutManifoldSide *side, const double n[3]);

/* The furthest point e along n of what is round about the side's pieces, but for the ball of its radius, and how it
 * moves with n. False where it is not unique. */
bool abut_manifold_round(const AbutManifoldSide *side, const double n[3], double e[3], double bend[9]);

#endif
