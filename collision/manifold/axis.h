/* Separating axes of two sides. */
#ifndef COLLISION_MANIFOLD_AXIS_H
#define COLLISION_MANIFOLD_AXIS_H

#include <stdbool.h>

#include "collision/manifold/manifold_parts.h"

typedef struct AbutManifoldAxis {
	double separation;
	double normal[3]; /* from side 0 to side 1, world */
	int side, face;   /* owner of the axis; side < 0: two edges */
	int edge[2];
} AbutManifoldAxis;

/* In units of the smaller shape: how much better than a face's an axis of edges must be. */
#define ABUT_MANIFOLD_STEADY 5e-3

/* Finds the face normal along which the two are furthest apart, or overlap least. */
void abut_manifold_face_axis(const AbutManifoldSide side[2], AbutManifoldAxis *out);

/* Finds the same for any two bounded sides, using only faces whose normal is within about 45 degrees of n or, on side
 * 1, of -n. The unit vector n points from side 0 to side 1. Returns false if there is no such face. */
bool abut_manifold_flat_axis(const AbutManifoldSide side[2], const double n[3], AbutManifoldAxis *out);

/* Finds the face axis or the axis of two edges, whichever separates more. With `steady`, the face axis wins unless the
 * edges' is clearly better: faces in contact keep their points when they tilt a little. */
void abut_manifold_axis(const AbutManifoldSide side[2], bool steady, AbutManifoldAxis *out);

#endif
