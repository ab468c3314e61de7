/* Shapes prepared for manifolds, and their places. */
#ifndef COLLISION_MANIFOLD_SHAPE_H
#define COLLISION_MANIFOLD_SHAPE_H

#include <stdbool.h>

#include "abut/shape.h"
#include "shapes/hull/hull.h"

enum {
	ABUT_MANIFOLD_POINTS = 4,   /* at most */
	ABUT_MANIFOLD_CORNERS = 64, /* of a face, at most */
	ABUT_MANIFOLD_RIM = 32      /* corners of the end of a cylinder or cone */
};

typedef enum AbutManifoldKind {
	ABUT_MANIFOLD_PLANE,
	ABUT_MANIFOLD_POLYTOPE,
	ABUT_MANIFOLD_BALL,
	ABUT_MANIFOLD_PADDED, /* a polytope and a ball */
	ABUT_MANIFOLD_ROUND,  /* one or two pieces with a round part: capsule, cylinder, cone, ellipsoid */
	ABUT_MANIFOLD_GENERIC /* known by its furthest points alone */
} AbutManifoldKind;

/* A shape prepared for manifolds: in a body's axes, about a point of it, in a unit of length. */
typedef struct AbutManifoldShape {
	AbutManifoldKind kind;
	double normal[3], offset; /* of a plane: normal . p <= offset */
	double centre[3];         /* of a ball; for another bounded shape a point inside */
	double radius;            /* of the ball about the core of a ball, padded polytope or capsule, otherwise 0 */
	double size;              /* bounded shapes: largest distance of a point from the centre */
	AbutHull *hull; /* polytope or padded polytope: hull of the core; cylinder or cone: only the flat ends, without
	                   edges; otherwise NULL. The offset of a face is normal . p */
	int n_pieces;   /* kind ROUND: centres of the pieces */
	double pieces[2][3];
	bool round[2];          /* false for the apex of a cone */
	const AbutShape *shape; /* borrowed, with the fields that lead to the above */
	double origin[3], unit; /* m */
} AbutManifoldShape;

AbutManifoldKind abut_manifold_kind(const AbutShape *shape);
/* Prepares a shape, with points moved by -origin and lengths divided by `unit`. `shape` must outlive `out`. Returns
 * ABUT_ERROR_UNSUPPORTED for a polytope with a face of too many corners. */
AbutStatus abut_manifold_shape_create(const AbutShape *shape, const double origin[3], double unit,
                                      AbutManifoldShape *out, AbutError *error);
void abut_manifold_shape_destroy(AbutManifoldShape *shape);

/* A shape at its place: x is the position of its origin. */
typedef struct AbutManifoldSide {
	const AbutManifoldShape *shape;
	double x[3], R[9];
} AbutManifoldSide;

#endif
