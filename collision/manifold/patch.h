/* What of a side lies against a plane. */
#ifndef COLLISION_MANIFOLD_PATCH_H
#define COLLISION_MANIFOLD_PATCH_H

#include "collision/manifold/manifold_parts.h"

enum { ABUT_MANIFOLD_POLYGON = 2 * ABUT_MANIFOLD_CORNERS };

/* What a corner is, and what the polygon's side from it to the next corner lies on: an edge of the incident face (its
 * place in the face), or, from -1 down, a side plane. */
typedef struct AbutManifoldCorner {
	AbutManifoldRule rule;
	int a, b; /* of the feature */
	int side;
	double along[3]; /* of an edge's corner: its direction */
	int plane;       /* that cut it */
	double bend;     /* share of the polygon's */
} AbutManifoldCorner;

/* Of the core: the ball of a radius is not in it. */
typedef struct AbutManifoldPolygon {
	int n;
	bool open;        /* a point or a line */
	bool rough;       /* not differentiable */
	int face;         /* of the hull, or a number of no face */
	double normal[3]; /* of that face, world */
	double bend[9];
	double p[3 * ABUT_MANIFOLD_POLYGON]; /* world */
	AbutManifoldCorner corners[ABUT_MANIFOLD_POLYGON];
} AbutManifoldPolygon;

/* What lies furthest against N, which is of unit length. */
void abut_manifold_patch(const AbutManifoldSide *side, const double N[3], AbutManifoldPolygon *out);

#endif
