/* Shapes made ready for manifolds: a polytope's hull in its body's axes. */
#include <math.h>
#include <stddef.h>

#include "base/error.h"
#include "collision/manifold_parts.h"
#include "shapes/polytope.h"

AbutManifoldKind abut_manifold_kind(const AbutShape *shape)
{
	static const AbutManifoldKind kinds[] = {
	    [ABUT_SHAPE_HALFSPACE] = ABUT_MANIFOLD_PLANE,   [ABUT_SHAPE_BOX] = ABUT_MANIFOLD_POLYTOPE,
	    [ABUT_SHAPE_POLYTOPE] = ABUT_MANIFOLD_POLYTOPE, [ABUT_SHAPE_PADDED_POLYTOPE] = ABUT_MANIFOLD_NONE,
	    [ABUT_SHAPE_SPHERE] = ABUT_MANIFOLD_BALL,       [ABUT_SHAPE_ELLIPSOID] = ABUT_MANIFOLD_NONE,
	    [ABUT_SHAPE_CAPSULE] = ABUT_MANIFOLD_NONE,      [ABUT_SHAPE_CYLINDER] = ABUT_MANIFOLD_NONE,
	    [ABUT_SHAPE_CONE] = ABUT_MANIFOLD_NONE,         [ABUT_SHAPE_MINKOWSKI_SUM] = ABUT_MANIFOLD_NONE,
	    [ABUT_SHAPE_INTERSECTION] = ABUT_MANIFOLD_NONE, [ABUT_SHAPE_CONIC] = ABUT_MANIFOLD_NONE,
	    [ABUT_SHAPE_SMOOTH] = ABUT_MANIFOLD_NONE};
	_Static_assert(sizeof kinds / sizeof *kinds == ABUT_SHAPE_COUNT, "one entry per kind of shape");
	return kinds[shape->kind];
}

/* From the shape's own frame to the body's axes, about the origin, in units. */
static void move_point(const AbutShape *shape, const double origin[3], double unit, double p[3])
{
	abut_mat3_vec(shape->rotation, p, p);
	for (int i = 0; i < 3; i++) {
		p[i] = (p[i] + shape->position[i] - origin[i]) / unit;
	}
}

static void move_hull(const AbutShape *shape, const double origin[3], double unit, AbutManifoldShape *out)
{
	AbutHull *hull = out->hull;
	for (int v = 0; v < hull->n_vertices; v++) {
		move_point(shape, origin, unit, &hull->vertices[3 * v]);
	}
	for (int f = 0; f < hull->n_faces; f++) {
		double *normal = &hull->normals[3 * f];
		for (int i = 0; shape->kind == ABUT_SHAPE_BOX && i < 3; i++) {
			normal[i] = round(normal[i]); /* what it is but for qhull's rounding */
		}
		abut_mat3_vec(shape->rotation, normal, normal);
		hull->offsets[f] = -(double)INFINITY;
		for (int k = hull->face_start[f]; k < hull->face_start[f + 1]; k++) {
			const double *p = &hull->vertices[3 * hull->face_vertex[k]];
			hull->offsets[f] = abut_max(hull->offsets[f], abut_dot3(normal, p));
		}
	}
	abut_copy3(shape->centre, out->centre);
	for (int i = 0; i < 3; i++) {
		out->centre[i] = (out->centre[i] - origin[i]) / unit;
		hull->origin[i] = 0.0;
	}
	out->size = shape->outer_radius / unit;
}

static AbutStatus create_polytope(const AbutShape *shape, const double origin[3], double unit, AbutManifoldShape *out,
                                  AbutError *error)
{
	const AbutStatus status = abut_polytope_hull(shape, &out->hull, error);
	if (status != ABUT_OK) {
		return status;
	}
	for (int f = 0; f < out->hull->n_faces; f++) {
		const int corners = out->hull->face_start[f + 1] - out->hull->face_start[f];
		if (corners > ABUT_MANIFOLD_CORNERS) {
			abut_manifold_shape_destroy(out);
			return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
			                      "a face has %d corners; a contact manifold takes at most %d", corners,
			                      (int)ABUT_MANIFOLD_CORNERS);
		}
	}
	move_hull(shape, origin, unit, out);
	return ABUT_OK;
}

AbutStatus abut_manifold_shape_create(const AbutShape *shape, const double origin[3], double unit,
                                      AbutManifoldShape *out, AbutError *error)
{
	*out = (AbutManifoldShape){.kind = abut_manifold_kind(shape)};
	if (out->kind == ABUT_MANIFOLD_NONE) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
		                      "a %s has no contact manifold; halfspaces, boxes, polytopes and spheres have",
		                      abut_shape_kind_name(shape->kind));
	}
	if (out->kind == ABUT_MANIFOLD_POLYTOPE) {
		return create_polytope(shape, origin, unit, out, error);
	}
	if (out->kind == ABUT_MANIFOLD_PLANE) { /* its normal is its own z */
		double foot[3] = {0.0, 0.0, shape->size[0]};
		for (int i = 0; i < 3; i++) {
			out->normal[i] = shape->rotation[3 * i + 2];
		}
		move_point(shape, origin, unit, foot);
		out->offset = abut_dot3(out->normal, foot);
		return ABUT_OK;
	}
	move_point(shape, origin, unit, out->centre);
	out->radius = out->size = shape->size[0] / unit;
	return ABUT_OK;
}

void abut_manifold_shape_destroy(AbutManifoldShape *shape)
{
	abut_hull_destroy(shape->hull);
	shape->hull = NULL;
}
