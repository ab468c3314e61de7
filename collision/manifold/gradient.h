/* Computes derivatives of contact points with respect to the poses. */
#pragma once

#include <stdbool.h>

#include "collision/manifold/manifold_parts.h"

/* Derivatives of a contact point, for fixed features. The columns are the pose columns of AbutCollisionGradient: the
 * position of side 0 (3, world), its rotation (3, small angles about its own axes), then both for side 1.
 * abut_manifold_gradient returns false, with zeros, if the derivative is unknown: for shapes known only by their
 * furthest points, and if the nearest points are not unique. */
enum { ABUT_MANIFOLD_COLUMNS = 12 };
typedef struct AbutManifoldGradient {
	double point[3][ABUT_MANIFOLD_COLUMNS], normal[3][ABUT_MANIFOLD_COLUMNS], gap[ABUT_MANIFOLD_COLUMNS];
} AbutManifoldGradient;
bool abut_manifold_gradient(const AbutManifoldSide side[2], const AbutManifold *manifold, int index,
                            AbutManifoldGradient *out);
