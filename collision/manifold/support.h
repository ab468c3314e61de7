/* Computes the furthest points of a side, and the part of a side that lies against a plane. */
#pragma once

#include <stdbool.h>

#include "collision/manifold/manifold_parts.h"

/* Returns the largest n . p over the points p of the side. n has unit length (world). */
double abut_manifold_reach(const AbutManifoldSide *side, const double n[3]);

/* Finds the furthest point e of the side's round part along n, relative to its middle and without the ball of the
 * shape's radius. Also computes its derivative with respect to n (world). Returns false if the point is not unique. */
bool abut_manifold_round(const AbutManifoldSide *side, const double n[3], double e[3], double bend[9]);

enum { ABUT_MANIFOLD_POLYGON = 2 * ABUT_MANIFOLD_CORNERS };

/* How a corner of a polygon was made. `side` says on what the polygon's side from this corner to the next one lies:
 * from 0 up, an edge of the incident face, by its index in the face; from -1 down, side plane -1 - side. */
typedef struct AbutManifoldCorner {
	AbutManifoldRule rule;
	int a, b; /* indices of the feature */
	int side;
	double along[3]; /* ABUT_MANIFOLD_EDGE: direction of the edge, world */
	int plane;       /* index of the side plane that cut it */
	double bend;     /* factor of the polygon's `bend` at this corner */
} AbutManifoldCorner;

/* A polygon of a side's core, without the ball of the shape's radius. */
typedef struct AbutManifoldPolygon {
	int n;
	bool open;        /* a point or a line */
	bool rough;       /* the derivative is unknown */
	int face;         /* face of the hull, or a number that is no face */
	double normal[3]; /* normal of this face, world */
	double bend[9];
	double p[3 * ABUT_MANIFOLD_POLYGON]; /* world */
	AbutManifoldCorner corners[ABUT_MANIFOLD_POLYGON];
} AbutManifoldPolygon;

/* Finds the part of the side that lies furthest along -N. N has unit length (world). */
void abut_manifold_patch(const AbutManifoldSide *side, const double N[3], AbutManifoldPolygon *out);
