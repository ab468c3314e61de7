/* Furthest points of a side, and the part of a side that lies against a plane. */
#ifndef COLLISION_MANIFOLD_SUPPORT_H
#define COLLISION_MANIFOLD_SUPPORT_H

#include <stdbool.h>

#include "collision/manifold/manifold_parts.h"

/* Returns the largest n . p over the side, n of unit length, world. */
double abut_manifold_reach(const AbutManifoldSide *side, const double n[3]);

/* Finds the furthest point e along n of the round part about the side's pieces, without the ball of its radius, and its
 * derivative by n. Returns false if it is not unique. */
bool abut_manifold_round(const AbutManifoldSide *side, const double n[3], double e[3], double bend[9]);

enum { ABUT_MANIFOLD_POLYGON = 2 * ABUT_MANIFOLD_CORNERS };

/* A corner's origin, and what the polygon's side from it to the next corner lies on: an edge of the incident face (its
 * place in the face), or a side plane (from -1 down). */
typedef struct AbutManifoldCorner {
	AbutManifoldRule rule;
	int a, b; /* indices of the feature */
	int side;
	double along[3]; /* direction of the edge of an edge's corner */
	int plane;       /* plane that cut it */
	double bend;     /* share of the polygon's bend */
} AbutManifoldCorner;

/* A polygon of the core, without the ball of a radius. */
typedef struct AbutManifoldPolygon {
	int n;
	bool open;        /* a point or a line */
	bool rough;       /* not differentiable */
	int face;         /* face of the hull, or a number that is no face */
	double normal[3]; /* of that face, world */
	double bend[9];
	double p[3 * ABUT_MANIFOLD_POLYGON]; /* world */
	AbutManifoldCorner corners[ABUT_MANIFOLD_POLYGON];
} AbutManifoldPolygon;

/* Finds the part that lies furthest against N, which has unit length. */
void abut_manifold_patch(const AbutManifoldSide *side, const double N[3], AbutManifoldPolygon *out);

#endif
