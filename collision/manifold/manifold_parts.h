/* The contact points of two shapes, and helpers that the files of the manifold share. */
#ifndef COLLISION_MANIFOLD_MANIFOLD_PARTS_H
#define COLLISION_MANIFOLD_MANIFOLD_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec3.h"
#include "collision/manifold/shape.h"

/* How a contact point depends on the poses. `face` is the side that owns the plane (or, in contact with a ball, the
 * edge); N is the outward normal of the plane. r, q, u and v are in the world frame. */
typedef enum AbutManifoldRule {
	ABUT_MANIFOLD_VERTEX, /* r: a vertex, centre or furthest point of the other side, over the plane */
	ABUT_MANIFOLD_EDGE,   /* r: an edge of the other side along u, cut by a side plane with normal v */
	ABUT_MANIFOLD_CORNER, /* r: the line along N through a corner of the face, cut by the other's face with normal v
	                       */
	ABUT_MANIFOLD_EDGES,  /* r on side 0's edge along u, q on side 1's along v: nearest to each other */
	ABUT_MANIFOLD_BALL_POINT, /* r and q: two centres, or a centre and a vertex, of sides 0 and 1 */
	ABUT_MANIFOLD_BALL_EDGE,  /* r the centre, q the nearest point of the edge along u */
	ABUT_MANIFOLD_NEAREST, /* r and q: nearest to each other, on sides 0 and 1, each on a line (u, v) or not (0) */
	ABUT_MANIFOLD_TUBES    /* r and q at one height of side 0's axis u, q on side 1's axis v; the end of `face` */
} AbutManifoldRule;

typedef struct AbutManifoldPoint {
	double point[3]; /* world, halfway between the two surfaces */
	double gap;      /* along the normal; negative in overlap */
	uint64_t feature;
	AbutManifoldRule rule;
	int face;
	bool rough; /* has no known derivative */
	double r[3], q[3], u[3], v[3];
	double bend[2][9]; /* derivatives of r and q on their sides by the direction in which they are furthest; for a
	                      point over a plane only the first */
} AbutManifoldPoint;

typedef struct AbutManifold {
	int n;            /* points */
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

/* Returns the reach of a hull along a direction in its own axes. */
static inline double abut_manifold_hull_reach(const AbutHull *hull, const double direction[3])
{
	double most = -(double)INFINITY;
	for (int v = 0; v < hull->n_vertices; v++) {
		most = abut_max(most, abut_dot3(direction, &hull->vertices[3 * v]));
	}
	return most;
}

/* Returns a feature's name: the kind of point, and two indices. */
static inline uint64_t abut_manifold_feature(AbutManifoldRule rule, int face, int a, int b)
{
	return (uint64_t)rule << 60 | (uint64_t)(unsigned)face << 59 | (uint64_t)(unsigned)a << 28 |
	       (uint64_t)(unsigned)b;
}

/* Finishes a point at r over the plane with outward normal N of side `face`; `radius` of a ball about r. */
static inline void abut_manifold_over_plane(const double N[3], double height, double radius, AbutManifoldPoint *point)
{
	point->gap = height - radius;
	for (int i = 0; i < 3; i++) {
		point->point[i] = point->r[i] - N[i] * (radius + 0.5 * point->gap);
	}
}

/* Returns the size of the smaller shape, the unit of tolerances. */
static inline double abut_manifold_unit(const AbutManifoldSide side[2])
{
	return abut_min(side[0].shape->size, side[1].shape->size);
}

#endif
