/* Computes separating axes of two sides. */
#pragma once

#include <stdbool.h>

#include "collision/manifold/manifold_parts.h"

typedef struct AbutManifoldAxis {
	double separation;
	double normal[3]; /* from side 0 to side 1, world */
	int side, face;   /* face of `side` whose normal is the axis; side < 0: the axis belongs to two edges */
	int edge[2];
} AbutManifoldAxis;

/* In units of the smaller shape: by how much the separation along an axis of edges must exceed that along a face
 * normal. */
#define ABUT_MANIFOLD_STEADY 5e-3

/* Finds the face normal along which the two polytopes are furthest apart, or overlap least. */
void abut_manifold_face_axis(const AbutManifoldSide side[2], AbutManifoldAxis *out);

/* Finds the face normal along which any two bounded sides are furthest apart. Only faces whose normal is within about
 * 45 degrees of n, or on side 1 of -n, are tried. The unit vector n points from side 0 to side 1. Returns false if
 * there is no such face. */
bool abut_manifold_flat_axis(const AbutManifoldSide side[2], const double n[3], AbutManifoldAxis *out);

/* Finds the face axis or the axis of two edges, whichever separates more. With `steady`, the axis of edges must
 * separate clearly more, so that faces in contact keep their points when they tilt a little. */
void abut_manifold_axis(const AbutManifoldSide side[2], bool steady, AbutManifoldAxis *out);
