/* Prepares shapes for manifolds in their body's axes: the hull of a polytope, and the pieces and flat ends of round
 * shapes. */
#include "collision/manifold/shape.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/primitives/polytope.h"
#include "shapes/support/support.h"

AbutManifoldKind abut_manifold_kind(const AbutShape *shape)
{
	static const AbutManifoldKind kinds[] = {
	    [ABUT_SHAPE_HALFSPACE] = ABUT_MANIFOLD_PLANE,      [ABUT_SHAPE_BOX] = ABUT_MANIFOLD_POLYTOPE,
	    [ABUT_SHAPE_POLYTOPE] = ABUT_MANIFOLD_POLYTOPE,    [ABUT_SHAPE_PADDED_POLYTOPE] = ABUT_MANIFOLD_PADDED,
	    [ABUT_SHAPE_SPHERE] = ABUT_MANIFOLD_BALL,          [ABUT_SHAPE_ELLIPSOID] = ABUT_MANIFOLD_ROUND,
	    [ABUT_SHAPE_CAPSULE] = ABUT_MANIFOLD_ROUND,        [ABUT_SHAPE_CYLINDER] = ABUT_MANIFOLD_ROUND,
	    [ABUT_SHAPE_CONE] = ABUT_MANIFOLD_ROUND,           [ABUT_SHAPE_MINKOWSKI_SUM] = ABUT_MANIFOLD_GENERIC,
	    [ABUT_SHAPE_INTERSECTION] = ABUT_MANIFOLD_GENERIC, [ABUT_SHAPE_CONIC] = ABUT_MANIFOLD_GENERIC,
	    [ABUT_SHAPE_SMOOTH] = ABUT_MANIFOLD_GENERIC};
	_Static_assert(sizeof kinds / sizeof *kinds == ABUT_SHAPE_COUNT, "one entry per kind of shape");
	return kinds[shape->kind];
}

/* Moves a point from the shape's own frame to the body's axes, relative to the origin, in units of `unit`. */
static void move_point(const AbutManifoldShape *out, double p[3])
{
	abut_mat3_vec(out->shape->rotation, p, p);
	for (int i = 0; i < 3; i++) {
		p[i] = (p[i] + out->shape->position[i] - out->origin[i]) / out->unit;
	}
}

static void move_hull(const AbutManifoldShape *out)
{
	AbutHull *hull = out->hull;
	for (int v = 0; v < hull->n_vertices; v++) {
		move_point(out, &hull->vertices[3 * v]);
	}
	for (int f = 0; f < hull->n_faces; f++) {
		double *normal = &hull->normals[3 * f];
		for (int i = 0; out->shape->kind == ABUT_SHAPE_BOX && i < 3; i++) {
			normal[i] = round(normal[i]); /* exact value, without qhull's rounding */
		}
		abut_mat3_vec(out->shape->rotation, normal, normal);
		hull->offsets[f] = -(double)INFINITY;
		for (int k = hull->face_start[f]; k < hull->face_start[f + 1]; k++) {
			const double *p = &hull->vertices[3 * hull->face_vertex[k]];
			hull->offsets[f] = abut_max(hull->offsets[f], abut_dot3(normal, p));
		}
	}
	for (int i = 0; i < 3; i++) {
		hull->origin[i] = 0.0;
	}
}

static AbutStatus create_polytope(AbutManifoldShape *out, AbutError *error)
{
	ABUT_TRY(abut_polytope_hull(out->shape, &out->hull, error));
	for (int f = 0; f < out->hull->n_faces; f++) {
		const int corners = out->hull->face_start[f + 1] - out->hull->face_start[f];
		if (corners > ABUT_MANIFOLD_CORNERS) {
			abut_manifold_shape_destroy(out);
			return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
			                      "a face has %d corners; a contact manifold supports at most %d", corners,
			                      (int)ABUT_MANIFOLD_CORNERS);
		}
	}
	move_hull(out);
	return ABUT_OK;
}

static void create_plane(AbutManifoldShape *out)
{
	double foot[3] = {0.0, 0.0, out->shape->size[0]}; /* on the own z axis, which is the normal */
	for (int i = 0; i < 3; i++) {
		out->normal[i] = out->shape->rotation[3 * i + 2];
	}
	move_point(out, foot);
	out->offset = abut_dot3(out->normal, foot);
}

/* --- round shapes --- */

static void add_piece(AbutManifoldShape *out, double z, bool round)
{
	double *p = out->pieces[out->n_pieces];
	p[0] = p[1] = 0.0;
	p[2] = z;
	move_point(out, p);
	out->round[out->n_pieces++] = round;
}

/* Adds a flat end at height z on the shape's own z axis, facing up (sign = 1) or down (sign = -1). Its corners on the
 * rim are counterclockwise seen from outside. */
static void add_end(double radius, double z, double sign, AbutHull *hull)
{
	static const double pi = 3.14159265358979323846;
	const int first = hull->n_vertices;
	double *normal = &hull->normals[3 * hull->n_faces];
	normal[0] = normal[1] = 0.0;
	normal[2] = sign;
	for (int k = 0; k < ABUT_MANIFOLD_RIM; k++) {
		const double angle = 2.0 * pi * k / ABUT_MANIFOLD_RIM;
		double *p = &hull->vertices[3 * (first + k)];
		p[0] = radius * cos(angle);
		p[1] = sign * radius * sin(angle);
		p[2] = z;
		hull->face_vertex[first + k] = first + k;
	}
	hull->n_vertices += ABUT_MANIFOLD_RIM;
	hull->n_faces++;
	hull->face_start[hull->n_faces] = hull->n_vertices;
}

/* Allocates the hull of the flat ends as one block, because abut_hull_destroy frees one block. */
static AbutHull *allocate_ends(void)
{
	enum { ENDS = 2, VERTICES = ENDS * ABUT_MANIFOLD_RIM };
	AbutHull *hull =
	    calloc(1, sizeof *hull + (3 * VERTICES + 4 * ENDS) * sizeof(double) + (VERTICES + ENDS + 1) * sizeof(int));
	if (hull) {
		hull->vertices = (double *)(hull + 1);
		hull->normals = hull->vertices + (size_t)(3 * VERTICES);
		hull->offsets = hull->normals + (size_t)(3 * ENDS);
		void *const ints = hull->offsets + ENDS;
		hull->face_start = ints;
		hull->face_vertex = hull->face_start + ENDS + 1;
	}
	return hull;
}

static AbutStatus create_round(AbutManifoldShape *out, AbutError *error)
{
	const AbutShape *shape = out->shape;
	const bool cone = shape->kind == ABUT_SHAPE_CONE;
	const double length = shape->kind == ABUT_SHAPE_ELLIPSOID ? 0.0 : shape->size[1];
	const double low = cone ? -0.25 * length : -0.5 * length;
	add_piece(out, low, true);
	if (length > 0.0) {
		add_piece(out, low + length, !cone);
	}
	if (shape->kind == ABUT_SHAPE_CAPSULE) {
		out->radius = shape->size[0] / out->unit;
	}
	if (shape->kind != ABUT_SHAPE_CYLINDER && !cone) {
		return ABUT_OK;
	}
	out->hull = allocate_ends();
	if (!out->hull) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL,
		                      "out of memory while preparing a contact manifold");
	}
	add_end(shape->size[0], low, -1.0, out->hull);
	if (!cone) {
		add_end(shape->size[0], low + length, 1.0, out->hull);
	}
	move_hull(out);
	return ABUT_OK;
}

/* --- padded shapes --- */

/* Prepares a padded shape. If its core has no volume, as for a sum of capsules, or a face has too many corners, its
 * faces are not used. */
static AbutStatus create_padded(AbutManifoldShape *out, AbutError *error)
{
	double radii[3];
	const AbutStatus status = create_polytope(out, error);
	if (status == ABUT_ERROR_MEMORY) {
		return status;
	}
	if (status != ABUT_OK) {
		out->kind = ABUT_MANIFOLD_GENERIC;
		return ABUT_OK;
	}
	abut_shape_radii(out->shape, radii);
	out->radius = radii[0] / out->unit;
	out->kind = out->radius > 0.0 ? ABUT_MANIFOLD_PADDED : ABUT_MANIFOLD_POLYTOPE;
	return ABUT_OK;
}

AbutStatus abut_manifold_shape_create(const AbutShape *shape, const double origin[3], double unit,
                                      AbutManifoldShape *out, AbutError *error)
{
	*out = (AbutManifoldShape){.kind = abut_manifold_kind(shape), .shape = shape, .unit = unit};
	abut_copy3(origin, out->origin);
	abut_sub3(shape->centre, origin, out->centre);
	abut_divide3(out->centre, unit, out->centre);
	out->size = shape->outer_radius / unit;
	switch (out->kind) {
	case ABUT_MANIFOLD_PLANE:
		create_plane(out);
		return ABUT_OK;
	case ABUT_MANIFOLD_POLYTOPE:
		return create_polytope(out, error);
	case ABUT_MANIFOLD_PADDED:
		return create_padded(out, error);
	case ABUT_MANIFOLD_BALL:
		add_piece(out, 0.0, true);
		abut_copy3(out->pieces[0], out->centre);
		out->radius = out->size = shape->size[0] / unit;
		return ABUT_OK;
	case ABUT_MANIFOLD_ROUND:
		return create_round(out, error);
	case ABUT_MANIFOLD_GENERIC:
		return shape->n_vertices > 0 ? create_padded(out, error) : ABUT_OK;
	}
	return ABUT_ERROR_UNSUPPORTED;
}

void abut_manifold_shape_destroy(AbutManifoldShape *shape)
{
	abut_hull_destroy(shape->hull);
	shape->hull = NULL;
}
