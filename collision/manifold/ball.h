/* Computes the contact point of a ball and another ball or a polytope. */
#pragma once

#include "collision/manifold/manifold_parts.h"

/* Makes the one contact point, whatever its gap. Side `ball` is a ball. */
void abut_manifold_ball(const AbutManifoldSide side[2], int ball, AbutManifold *out);
