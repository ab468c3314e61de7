/* Prepares shapes for manifolds, and defines their poses. */
#pragma once

#include <stdbool.h>

#include "abut/shape.h"
#include "shapes/hull/hull.h"

enum {
	ABUT_MANIFOLD_POINTS = 4,   /* largest number of contact points */
	ABUT_MANIFOLD_CORNERS = 64, /* largest number of corners of a face */
	ABUT_MANIFOLD_RIM = 32      /* corners that represent the end of a cylinder or cone */
};

typedef enum AbutManifoldKind {
	ABUT_MANIFOLD_PLANE,
	ABUT_MANIFOLD_POLYTOPE,
	ABUT_MANIFOLD_BALL,
	ABUT_MANIFOLD_PADDED, /* a polytope padded with a ball */
	ABUT_MANIFOLD_ROUND,  /* one or two pieces with a round part: capsule, cylinder, cone, ellipsoid */
	ABUT_MANIFOLD_GENERIC /* known only by its furthest points */
} AbutManifoldKind;

/* A shape prepared for manifolds: in its body's axes, relative to a point of the body, with lengths divided by `unit`.
 */
typedef struct AbutManifoldShape {
	AbutManifoldKind kind;
	double normal[3], offset; /* halfspace: normal . p <= offset */
	double centre[3];         /* ball: its centre; other bounded shapes: a point inside */
	double radius;  /* radius of the ball around the core of a ball, padded polytope or capsule; otherwise 0 */
	double size;    /* bounded shapes: largest distance of a point of the shape from the centre */
	AbutHull *hull; /* polytope or padded polytope: hull of the core; cylinder or cone: only the flat ends, without
	                   edges; otherwise NULL. The offset of a face is normal . p */
	int n_pieces;   /* kinds BALL and ROUND: number of pieces, whose centres follow */
	double pieces[2][3];
	bool round[2];          /* false for the apex of a cone */
	const AbutShape *shape; /* borrowed; the shape in its own frame */
	double origin[3], unit; /* m */
} AbutManifoldShape;

AbutManifoldKind abut_manifold_kind(const AbutShape *shape);
/* Prepares a shape. Its points are moved by -origin, and lengths are divided by `unit`. `shape` must outlive `out`.
 * Returns ABUT_ERROR_UNSUPPORTED if a face of a polytope has more than ABUT_MANIFOLD_CORNERS corners. */
AbutStatus abut_manifold_shape_create(const AbutShape *shape, const double origin[3], double unit,
                                      AbutManifoldShape *out, AbutError *error);
void abut_manifold_shape_destroy(AbutManifoldShape *shape);

/* A prepared shape at its pose: x is the world position of the point `origin` of its body, divided by `unit`; R rotates
 * the body's axes to the world. */
typedef struct AbutManifoldSide {
	const AbutManifoldShape *shape;
	double x[3], R[9];
} AbutManifoldSide;
