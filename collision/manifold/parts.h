/* What the files of the manifold share. */
#ifndef COLLISION_MANIFOLD_PARTS_H
#define COLLISION_MANIFOLD_PARTS_H

#include "base/vec3.h"
#include "collision/manifold/manifold.h"

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

/* --- collision/manifold/support.c: furthest points --- */

/* The largest n . p over the side, n of unit length, world. */
double abut_manifold_reach(const AbutManifoldSide *side, const double n[3]);

/* The furthest point e along n of what is round about the side's pieces, but for the ball of its radius, and how it
 * moves with n. False where it is not unique. */
bool abut_manifold_round(const AbutManifoldSide *side, const double n[3], double e[3], double bend[9]);

/* --- collision/manifold/patch.c: what of a side lies against a plane --- */

enum { ABUT_MANIFOLD_POLYGON = 2 * ABUT_MANIFOLD_CORNERS };

/* What a corner is, and what the polygon's side from it to the next corner lies on: an edge of the incident face (its
 * place in the face), or, from -1 down, a side plane. */
typedef struct AbutManifoldCorner {
	AbutManifoldRule rule;
	int a, b; /* of the feature */
	int side;
	double along[3]; /* of an edge's corner: its direction */
	int plane;       /* that cut it */
	double bend;     /* share of the polygon's */
} AbutManifoldCorner;

/* Of the core: the ball of a radius is not in it. */
typedef struct AbutManifoldPolygon {
	int n;
	bool open;        /* a point or a line */
	bool rough;       /* not differentiable */
	int face;         /* of the hull, or a number of no face */
	double normal[3]; /* of that face, world */
	double bend[9];
	double p[3 * ABUT_MANIFOLD_POLYGON]; /* world */
	AbutManifoldCorner corners[ABUT_MANIFOLD_POLYGON];
} AbutManifoldPolygon;

/* What lies furthest against N, which is of unit length. */
void abut_manifold_patch(const AbutManifoldSide *side, const double N[3], AbutManifoldPolygon *out);

/* --- collision/manifold/axis.c: the axis of two polytopes --- */

typedef struct AbutManifoldAxis {
	double separation;
	double normal[3]; /* from side 0 to side 1, world */
	int side, face;   /* that the axis belongs to; side < 0: to two edges */
	int edge[2];
} AbutManifoldAxis;

/* In units of the smaller shape: by how much another axis must be better than a face's. */
#define ABUT_MANIFOLD_STEADY 5e-3

double abut_manifold_unit(const AbutManifoldSide side[2]);

/* The normal of a face along which the two are furthest apart, or overlap least. */
void abut_manifold_face_axis(const AbutManifoldSide side[2], AbutManifoldAxis *out);

/* The same of any two bounded sides, among faces that look roughly along n, which leads from side 0 to side 1. False
 * where there is none. */
bool abut_manifold_flat_axis(const AbutManifoldSide side[2], const double n[3], AbutManifoldAxis *out);

/* That, or an axis of two edges, whichever separates more. With `steady`, a face's axis is taken unless one of two
 * edges is clearly better: faces that lie on each other keep their points when they tilt a little. */
void abut_manifold_axis(const AbutManifoldSide side[2], bool steady, AbutManifoldAxis *out);

/* --- collision/manifold/clip.c: something against a plane --- */

/* A plane that points lie over, and its border. */
typedef struct AbutManifoldFloor {
	int side, face;        /* whose; of its hull, or a number of no face */
	double N[3], offset;   /* the side lies in N . p <= offset, world */
	int n_corners;         /* 0: without border */
	const double *corners; /* (n_corners x 3) counterclockwise against N, world */
} AbutManifoldFloor;

/* Points of the patch of the other side over the floor, at most `margin` above it. */
void abut_manifold_over(const AbutManifoldSide side[2], const AbutManifoldFloor *floor, AbutManifoldPolygon *patch,
                        double margin, AbutManifold *out);

/* The same over a face. */
void abut_manifold_clip(const AbutManifoldSide side[2], const AbutManifoldAxis *axis, double margin, AbutManifold *out);

/* Finishes a point that is r over a plane of side `face` with outward normal N; `radius` of a ball about r. */
void abut_manifold_over_plane(const double N[3], double height, double radius, AbutManifoldPoint *point);

/* --- collision/manifold/reduce.c --- */

/* Up to four of n points (n x 3), whose gap is normal . p - offset, with a gap of at most `margin`: the deepest, the
 * one furthest from it, and those that span most area with them on either side. Where they are as good as equally deep
 * the first one stands for the deepest, so that the choice does not follow rounding. Returns how many. */
int abut_manifold_reduce(int n, const double *points, const double normal[3], double offset, double margin,
                         int chosen[ABUT_MANIFOLD_POINTS]);

/* --- collision/manifold/ball.c: a ball and a polytope --- */

/* `ball` is the side that is one. */
void abut_manifold_ball(const AbutManifoldSide side[2], int ball, AbutManifold *out);

/* --- collision/manifold/near.c: the nearest points of any two bounded sides --- */

/* The one point, whatever its gap; the normal and that gap. */
void abut_manifold_near(const AbutManifoldSide side[2], AbutManifold *out);

/* --- collision/manifold/tubes.c: capsules and cylinders side by side --- */

/* Along n, from side 0 to side 1. False, and `out` as it was, where they do not lie so. */
bool abut_manifold_tubes(const AbutManifoldSide side[2], const double n[3], double margin, AbutManifold *out);

/* The middle of a tube's axis. */
void abut_manifold_tube_middle(const AbutManifoldSide *side, double middle[3]);

#endif
