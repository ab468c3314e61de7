/* Makes the contact points of capsules and cylinders side by side. */
#pragma once

#include <stdbool.h>

#include "collision/manifold/manifold_parts.h"

/* Makes the contact points of two tubes whose normal is near n, from side 0 to side 1. Returns false, with `out`
 * unchanged, if the two are not side by side. */
bool abut_manifold_tubes(const AbutManifoldSide side[2], const double n[3], double margin, AbutManifold *out);

/* Computes the middle of a tube's axis. */
void abut_manifold_tube_middle(const AbutManifoldSide *side, double middle[3]);
