/* Where two shapes touch, or are about to, at fixed poses: up to four points with one normal, for methods that need
 * points (docs/formulation.md 12). The single-level path has no use for it.
 *
 * Every pair but two halfspaces. Each pair takes the first line that fits:
 *
 *   a halfspace      vertices, of a padded shape with its ball; ends of a capsule; of a cylinder that stands and of a
 *                    cone on its base four corners of 32 on the rim; of one that lies the ends of its lowest line; of
 *                    other shapes the furthest point, and where that is one of a flat face, points of the face
 *   two polytopes    the axis along which they are furthest apart, or overlap least: of a face, whose side planes clip
 *                    the other's face that lies most against it; or across two edges that pass each other, with one
 *                    point
 *   sphere, sphere   one point
 *     or polytope
 *   a flat face      (of a polytope, padded or not, the end of a cylinder, the base of a cone) along whose normal the
 *                    two are as good as furthest apart: what would be the points on a halfspace, clipped by its border
 *   two capsules or  that lie side by side: two points, at the ends of what they share
 *     cylinders
 *   two flat faces   of which one at least is of a shape that tells no faces (sums, intersections, conic data)
 *   anything else    the one point where the two are nearest
 *
 * A point knows what it is made of (vertex, edge, face of which side): its feature, which persists while the shapes
 * move a little, and from which collision/manifold/gradient.c differentiates. Two equal choices are decided in favour
 * of side 0, of faces, and of low indices. No allocation but in the making of a shape. Tested in
 * tests/collision/test_manifold.c, test_manifold_round.c and test_manifold_closed.c. */
#ifndef COLLISION_MANIFOLD_MANIFOLD_H
#define COLLISION_MANIFOLD_MANIFOLD_H

#include <stdbool.h>
#include <stdint.h>

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

/* How a point follows the poses. `face` is the side that owns the plane (or the edge beside a ball), N the normal out
 * of it; r, q, u, v are world. */
typedef enum AbutManifoldRule {
	ABUT_MANIFOLD_VERTEX,     /* r, a vertex, centre or furthest point of the other side, over the plane */
	ABUT_MANIFOLD_EDGE,       /* r, where an edge of the other side along u is cut by a side plane with normal v */
	ABUT_MANIFOLD_CORNER,     /* r, where the line along N through a corner of the face meets the other's face with
	                             normal v */
	ABUT_MANIFOLD_EDGES,      /* r on side 0's edge along u, q on side 1's along v: nearest to each other */
	ABUT_MANIFOLD_BALL_POINT, /* r and q: two centres, or a centre and a vertex, of sides 0 and 1 */
	ABUT_MANIFOLD_BALL_EDGE,  /* r the centre, q the nearest point of the edge along u */
	ABUT_MANIFOLD_NEAREST, /* r and q, nearest to each other, on sides 0 and 1, each on a line (u, v) or not (0) */
	ABUT_MANIFOLD_TUBES    /* r and q at one height of side 0's axis u, q on side 1's axis v; the end of `face` */
} AbutManifoldRule;

typedef struct AbutManifoldPoint {
	double point[3]; /* world, half way between the two surfaces */
	double gap;      /* along the normal; negative in overlap */
	uint64_t feature;
	AbutManifoldRule rule;
	int face;
	bool rough; /* has no derivative that could be told */
	double r[3], q[3], u[3], v[3];
	double bend[2][9]; /* how r and q move on their sides as the direction turns in which they are furthest; of a
	                      point over a plane the first alone */
} AbutManifoldPoint;

typedef struct AbutManifold {
	int n;            /* points */
	double normal[3]; /* unit, world, from side 0 to side 1 */
	AbutManifoldPoint points[ABUT_MANIFOLD_POINTS];
} AbutManifold;

/* The points with a gap of at most `margin` (of a ball: the one). */
void abut_manifold_make(const AbutManifoldSide side[2], double margin, AbutManifold *out);

/* The distance of two parallel planes between the two, negative in overlap: the largest across the normals of faces,
 * the products of edges and the line between the nearest points. Of polytopes in overlap no direction has a larger one,
 * and it is minus the least way that takes them apart; apart it is their distance where they are nearest in a face or
 * in two edges that pass each other, and below it where they are nearest at a vertex. Of round shapes it is their
 * distance, also in overlap that is shallow beside their radii. Where one is known by its furthest points alone, it is
 * the distance along the normal of the growth distance. `normal` from side 0 to side 1. */
double abut_manifold_separation(const AbutManifoldSide side[2], double normal[3]);

/* First derivatives of a point in the columns of AbutCollisionGradient that speak of poses: position of side 0 (3,
 * world), its rotation (3, small angles about its own axes), then those of side 1. The features stay. False, with
 * zeros, for a point whose derivative cannot be told: of shapes known by their furthest points alone, and where the
 * nearest points are not unique. */
enum { ABUT_MANIFOLD_COLUMNS = 12 };
typedef struct AbutManifoldGradient {
	double point[3][ABUT_MANIFOLD_COLUMNS], normal[3][ABUT_MANIFOLD_COLUMNS], gap[ABUT_MANIFOLD_COLUMNS];
} AbutManifoldGradient;
bool abut_manifold_gradient(const AbutManifoldSide side[2], const AbutManifold *manifold, int index,
                            AbutManifoldGradient *out);

#endif
