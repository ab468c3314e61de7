/* Separating axes of two sides. */
#ifndef COLLISION_MANIFOLD_AXIS_H
#define COLLISION_MANIFOLD_AXIS_H

#include <stdbool.h>

#include "collision/manifold/manifold_parts.h"

typedef struct AbutManifoldAxis {
	double separation;
	double normal[3]; /* from side 0 to side 1, world */
	int side, face;   /* that the axis belongs to; side < 0: to two edges */
	int edge[2];
} AbutManifoldAxis;

/* In units of the smaller shape: by how much another axis must be better than a face's. */
#define ABUT_MANIFOLD_STEADY 5e-3

/* The normal of a face along which the two are furthest apart, or overlap least. */
void abut_manifold_face_axis(const AbutManifoldSide side[2], AbutManifoldAxis *out);

/* The same of any two bounded sides, among faces that look roughly along n, which leads from side 0 to side 1. False
 * where there is none. */
bool abut_manifold_flat_axis(const AbutManifoldSide side[2], const double n[3], AbutManifoldAxis *out);

/* That, or an axis of two edges, whichever separates more. With `steady`, a face's axis is taken unless one of two
 * edges is clearly better: faces that lie on each other keep their points when they tilt a little. */
void abut_manifold_axis(const AbutManifoldSide side[2], bool steady, AbutManifoldAxis *out);

#endif
