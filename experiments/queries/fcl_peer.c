/* FCL with its own shapes; it has no padded polytopes. */
#include <stdlib.h>

#include "experiments/queries/fcl_bridge.h"
#include "experiments/queries/queries.h"
#include "shapes/primitives/polytope.h"

typedef struct Side {
	AbutFclGeometry *geometry;
	double position[3], rotation[9]; /* of FCL's frame in the frame that the shape is given in */
	double R[9], x[3];               /* in the world */
} Side;

struct AbutQueryPair {
	Side side[2];
};

static AbutFclGeometry *make_convex(const AbutShape *shape)
{
	AbutHull *hull = NULL;
	if (abut_polytope_hull(shape, &hull, NULL) != ABUT_OK) {
		return NULL;
	}
	const int entries = hull->n_faces + hull->face_start[hull->n_faces];
	int *faces = malloc((size_t)entries * sizeof *faces), n = 0;
	for (int f = 0; faces && f < hull->n_faces; f++) {
		faces[n++] = hull->face_start[f + 1] - hull->face_start[f];
		for (int i = hull->face_start[f]; i < hull->face_start[f + 1]; i++) {
			faces[n++] = hull->face_vertex[i];
		}
	}
	AbutFclGeometry *out =
	    faces ? abut_fcl_convex(hull->n_vertices, hull->vertices, hull->n_faces, entries, faces) : NULL;
	free(faces);
	abut_hull_destroy(hull);
	return out;
}

static AbutFclGeometry *make_geometry(const AbutShape *shape)
{
	const double *size = shape->size;
	switch (shape->kind) {
	case ABUT_SHAPE_BOX:
		return abut_fcl_box(size);
	case ABUT_SHAPE_POLYTOPE:
		return make_convex(shape);
	case ABUT_SHAPE_SPHERE:
		return abut_fcl_sphere(size[0]);
	case ABUT_SHAPE_ELLIPSOID:
		return abut_fcl_ellipsoid(size);
	case ABUT_SHAPE_CAPSULE:
		return abut_fcl_capsule(size[0], size[1]);
	case ABUT_SHAPE_CYLINDER:
		return abut_fcl_cylinder(size[0], size[1]);
	case ABUT_SHAPE_CONE:
		return abut_fcl_cone(size[0], size[1]);
	case ABUT_SHAPE_HALFSPACE:
	case ABUT_SHAPE_PADDED_POLYTOPE:
	case ABUT_SHAPE_MINKOWSKI_SUM:
	case ABUT_SHAPE_INTERSECTION:
	case ABUT_SHAPE_CONIC:
	case ABUT_SHAPE_SMOOTH:
	case ABUT_SHAPE_COUNT:
		break;
	}
	return NULL;
}

static void destroy(AbutQueryPair *pair)
{
	for (int i = 0; pair && i < 2; i++) {
		abut_fcl_destroy(pair->side[i].geometry);
	}
	free(pair);
}

static AbutQueryPair *create(const AbutShape *a, const AbutShape *b)
{
	const AbutShape *const shapes[2] = {a, b};
	AbutQueryPair *pair = calloc(1, sizeof *pair);
	for (int i = 0; pair && i < 2; i++) {
		Side *side = &pair->side[i];
		const double up = shapes[i]->kind == ABUT_SHAPE_CONE ? 0.25 * shapes[i]->size[1] : 0.0;
		side->geometry = make_geometry(shapes[i]);
		for (int j = 0; j < 9; j++) {
			side->rotation[j] = shapes[i]->rotation[j];
		}
		for (int j = 0; j < 3; j++) {
			side->position[j] = shapes[i]->position[j] + up * shapes[i]->rotation[3 * j + 2];
		}
	}
	if (pair && (!pair->side[0].geometry || !pair->side[1].geometry)) {
		destroy(pair);
		return NULL;
	}
	return pair;
}

static void place(AbutQueryPair *pair, const AbutPose *a, const AbutPose *b)
{
	const AbutPose *const poses[2] = {a, b};
	for (int i = 0; i < 2; i++) {
		Side *side = &pair->side[i];
		abut_query_place(side->rotation, side->position, poses[i], side->R, side->x);
	}
}

static double distance(AbutQueryPair *pair, const AbutPose *a, const AbutPose *b)
{
	const Side *s = pair->side;
	place(pair, a, b);
	return abut_fcl_distance(s[0].geometry, s[0].R, s[0].x, s[1].geometry, s[1].R, s[1].x);
}

static double depth(AbutQueryPair *pair, const AbutPose *a, const AbutPose *b)
{
	const Side *s = pair->side;
	place(pair, a, b);
	return abut_fcl_depth(s[0].geometry, s[0].R, s[0].x, s[1].geometry, s[1].R, s[1].x);
}

static const AbutQueryPeer peers[] = {
    {"fcl dist", "FCL: distance and nearest points to 1e-6, for separate pairs", create, destroy, distance},
    {"fcl depth", "FCL: a contact with depth and normal, for overlapping pairs", create, destroy, depth},
};

const AbutQueryFamily abut_query_fcl = {sizeof peers / sizeof *peers, peers};
