/* The contact points of two shapes, and what the files of the manifold share. */
#ifndef COLLISION_MANIFOLD_MANIFOLD_PARTS_H
#define COLLISION_MANIFOLD_MANIFOLD_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec3.h"
#include "collision/manifold/shape.h"

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

/* A feature's name: what kind of point, and two indices. */
static inline uint64_t abut_manifold_feature(AbutManifoldRule rule, int face, int a, int b)
{
	return (uint64_t)rule << 60 | (uint64_t)(unsigned)face << 59 | (uint64_t)(unsigned)a << 28 |
	       (uint64_t)(unsigned)b;
}

/* Finishes a point that is r over a plane of side `face` with outward normal N; `radius` of a ball about r. */
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
