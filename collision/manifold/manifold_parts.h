/* Defines the contact points of two shapes, and helpers that several files of the manifold share. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vec3.h"
#include "collision/manifold/shape.h"

/* How a contact point depends on the poses. `face` is the side that owns the plane (for a ball beside an edge, the
 * edge), and N the outward normal of the plane. r, q, u and v are in the world frame. */
typedef enum AbutManifoldRule {
	ABUT_MANIFOLD_VERTEX, /* r: a vertex, a centre or the furthest point of the other side, over the plane */
	ABUT_MANIFOLD_EDGE,   /* r: on an edge of the other side along u, where a side plane with normal v cuts it */
	ABUT_MANIFOLD_CORNER, /* r: on the line along N through a corner of the face, where the other side's face with
	                         normal v cuts it */
	ABUT_MANIFOLD_EDGES,  /* r on an edge of side 0 along u, q on an edge of side 1 along v: nearest points of both
	                         lines */
	ABUT_MANIFOLD_BALL_POINT, /* r and q: two centres, or a centre and a vertex; r of side 0, q of side 1 */
	ABUT_MANIFOLD_BALL_EDGE,  /* r: the ball's centre; q: the nearest point of the edge along u */
	ABUT_MANIFOLD_NEAREST, /* r and q: nearest points of sides 0 and 1; each lies on a line along u or v, which is 0
	                          if there is none */
	ABUT_MANIFOLD_TUBES    /* r on side 0's axis u, q on side 1's axis v, at the same height along u: an end of the
	                          axis of side `face` */
} AbutManifoldRule;

typedef struct AbutManifoldPoint {
	double point[3]; /* world, halfway between the two surfaces */
	double gap;      /* distance of the surfaces along the normal; negative in overlap */
	uint64_t feature;
	AbutManifoldRule rule;
	int face;
	bool rough; /* the derivative is unknown */
	double r[3], q[3], u[3], v[3];
	double bend[2][9]; /* derivatives of r and q with respect to the direction along which they are furthest on
	                      their side; over a plane only the first is set */
} AbutManifoldPoint;

typedef struct AbutManifold {
	int n;            /* number of points */
	double normal[3]; /* unit, world, from side 0 to side 1 */
	AbutManifoldPoint points[ABUT_MANIFOLD_POINTS];
} AbutManifold;

static inline void abut_manifold_to_world(const AbutManifoldSide *side, const double own[3], double world[3])
{
	abut_mat3_vec(side->R, own, world);
	abut_add3(world, side->x, world);
}

static inline void abut_manifold_vertex(const AbutManifoldSide *side, int vertex, double world[3])
{
	abut_manifold_to_world(side, &side->shape->hull->vertices[3 * vertex], world);
}

static inline void abut_manifold_face_normal(const AbutManifoldSide *side, int face, double world[3])
{
	abut_mat3_vec(side->R, &side->shape->hull->normals[3 * face], world);
}

/* Returns the reach of a hull along a direction, both in the hull's axes. */
static inline double abut_manifold_hull_reach(const AbutHull *hull, const double direction[3])
{
	double most = -(double)INFINITY;
	for (int v = 0; v < hull->n_vertices; v++) {
		most = abut_max(most, abut_dot3(direction, &hull->vertices[3 * v]));
	}
	return most;
}

/* Returns the name of a feature: the rule, the side that owns it, and two indices. */
static inline uint64_t abut_manifold_feature(AbutManifoldRule rule, int face, int a, int b)
{
	return (uint64_t)rule << 60 | (uint64_t)(unsigned)face << 59 | (uint64_t)(unsigned)a << 28 |
	       (uint64_t)(unsigned)b;
}

/* Sets gap and position of a point whose r is at `height` above the plane with the outward normal N. `radius` is that
 * of a ball about r. */
static inline void abut_manifold_over_plane(const double N[3], double height, double radius, AbutManifoldPoint *point)
{
	point->gap = height - radius;
	for (int i = 0; i < 3; i++) {
		point->point[i] = point->r[i] - N[i] * (radius + 0.5 * point->gap);
	}
}

/* Returns the size of the smaller shape, in which tolerances are expressed. */
static inline double abut_manifold_unit(const AbutManifoldSide side[2])
{
	return abut_min(side[0].shape->size, side[1].shape->size);
}
