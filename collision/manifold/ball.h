/* A ball and another ball or a polytope. */
#ifndef COLLISION_MANIFOLD_BALL_H
#define COLLISION_MANIFOLD_BALL_H

#include "collision/manifold/manifold_parts.h"

/* Makes the one point, whatever its gap; `ball` is a side that is one. */
void abut_manifold_ball(const AbutManifoldSide side[2], int ball, AbutManifold *out);

#endif
