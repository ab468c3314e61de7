/* A shape as manifolds read it, and where it is. */
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

/* A shape as manifolds read it: in a body's axes, about a point of it, in a unit of length. */
typedef struct AbutManifoldShape {
	AbutManifoldKind kind;
	double normal[3], offset; /* of a plane: normal . p <= offset */
	double centre[3];         /* of a ball; of another bounded shape a point inside */
	double radius;            /* of the ball about the core of a ball, padded polytope or capsule, otherwise 0 */
	double size;              /* of a bounded shape: all of it lies as far from the centre, at most */
	AbutHull *hull; /* of a polytope's core; of a cylinder or cone its flat ends alone, without edges; NULL
	                   where there are none; offsets are normal . p */
	int n_pieces;   /* of kind ROUND: centres of the pieces */
	double pieces[2][3];
	bool round[2];          /* the apex of a cone is not */
	const AbutShape *shape; /* borrowed, with what leads to the above */
	double origin[3], unit; /* m */
} AbutManifoldShape;

AbutManifoldKind abut_manifold_kind(const AbutShape *shape);
/* With points moved by -origin and lengths divided by `unit`. `shape` must outlive `out`. ABUT_ERROR_UNSUPPORTED for a
 * polytope with a face of too many corners. */
AbutStatus abut_manifold_shape_create(const AbutShape *shape, const double origin[3], double unit,
                                      AbutManifoldShape *out, AbutError *error);
void abut_manifold_shape_destroy(AbutManifoldShape *shape);

/* A shape where it is: x is the place of its origin. */
typedef struct AbutManifoldSide {
	const AbutManifoldShape *shape;
	double x[3], R[9];
} AbutManifoldSide;

#endif
