/* What the files of the manifold share. */
#ifndef COLLISION_MANIFOLD_PARTS_H
#define COLLISION_MANIFOLD_PARTS_H

#include "base/vec3.h"
#include "collision/manifold.h"

/* --- places --- */

static inline void abut_manifold_to_world(const AbutManifoldSide *side, const double own[3], double world[3])
{
	abut_mat3_vec(side->R, own, world);
	for (int i = 0; i < 3; i++) {
		world[i] += side->x[i];
	}
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

/* --- manifold_axis.c: the axis of two polytopes --- */

typedef struct AbutManifoldAxis {
	double separation;
	double normal[3]; /* from side 0 to side 1, world */
	int side, face;   /* that the axis belongs to; side < 0: to two edges */
	int edge[2];
} AbutManifoldAxis;

/* The normal of a face along which the two are furthest apart, or overlap least. */
void abut_manifold_face_axis(const AbutManifoldSide side[2], AbutManifoldAxis *out);

/* That, or an axis of two edges, whichever separates more. With `steady`, a face's axis is taken unless one of two
 * edges is clearly better: faces that lie on each other keep their points when they tilt a little. */
void abut_manifold_axis(const AbutManifoldSide side[2], bool steady, AbutManifoldAxis *out);

/* --- manifold_clip.c: face against face --- */

/* Points of the other side's face over the reference face, at most `margin` above it. */
void abut_manifold_clip(const AbutManifoldSide side[2], const AbutManifoldAxis *axis, double margin, AbutManifold *out);

/* Up to four of n points (n x 3), whose gap is normal . p - offset, with a gap of at most `margin`: the deepest, the
 * one furthest from it, and those that span most area with them on either side. Returns how many. */
int abut_manifold_reduce(int n, const double *points, const double normal[3], double offset, double margin,
                         int chosen[ABUT_MANIFOLD_POINTS]);

/* Finishes a point that is r over a plane of side `face` with outward normal N; `radius` of a ball about r. */
void abut_manifold_over_plane(const double N[3], double height, double radius, AbutManifoldPoint *point);

/* --- manifold_ball.c: a ball and a polytope --- */

/* `ball` is the side that is one. */
void abut_manifold_ball(const AbutManifoldSide side[2], int ball, AbutManifold *out);

#endif
