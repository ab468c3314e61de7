/* Creates shapes with other sizes, as their constructors do. Computes the derivatives of the rows that
 * shapes/primitives/ writes with respect to these sizes. Tested in tests/shapes/resize.c, and in
 * tests/shapes/size_derivative.c by differences of the constructors. */
#include "shapes/change/size.h"

#include <math.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/core/conic.h"
#include "shapes/core/inputs.h"
#include "shapes/core/transform.h"

/* --- other sizes --- */

/* Creates a shape of these sizes in its own frame. */
static AbutStatus construct(AbutShapeKind kind, const double s[3], AbutShape **out, AbutError *error)
{
	static const double up[3] = {0.0, 0.0, 1.0};
	switch (kind) {
	case ABUT_SHAPE_HALFSPACE:
		return abut_shape_create_halfspace(up, s[0], out, error);
	case ABUT_SHAPE_BOX:
		return abut_shape_create_box(s, out, error);
	case ABUT_SHAPE_SPHERE:
		return abut_shape_create_sphere(s[0], out, error);
	case ABUT_SHAPE_ELLIPSOID:
		return abut_shape_create_ellipsoid(s, out, error);
	case ABUT_SHAPE_CAPSULE:
		return abut_shape_create_capsule(s[0], s[1], out, error);
	case ABUT_SHAPE_CYLINDER:
		return abut_shape_create_cylinder(s[0], s[1], out, error);
	case ABUT_SHAPE_CONE:
		return abut_shape_create_cone(s[1], s[0], out, error);
	case ABUT_SHAPE_POLYTOPE:
	case ABUT_SHAPE_PADDED_POLYTOPE:
	case ABUT_SHAPE_MINKOWSKI_SUM:
	case ABUT_SHAPE_INTERSECTION:
	case ABUT_SHAPE_CONIC:
	case ABUT_SHAPE_SMOOTH:
	case ABUT_SHAPE_COUNT:
		break;
	}
	return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "size", "a %s has no sizes", abut_shape_kind_name(kind));
}

/* Copies a padded polytope and gives its core another radius. */
static AbutStatus pad(const AbutShape *shape, double radius, AbutShape **out, AbutError *error)
{
	AbutStatus status = abut_shape_check_length(radius, "radius", error);
	ABUT_THEN(status, abut_shape_clone(shape, out, error));
	if (status == ABUT_OK) {
		const double more = radius - shape->size[0];
		abut_shape_edit((*out)->d)[shape->n_orthant] = radius;
		(*out)->size[0] = radius;
		(*out)->outer_radius += more;
		(*out)->inner_radius += more;
	}
	return status;
}

/* Moves `shape` to the frame and the scaling centre of `like`. */
static AbutStatus place(const AbutShape *like, AbutShape *shape, AbutError *error)
{
	AbutStatus status = abut_shape_move(shape, like->rotation, like->position, error);
	const bool same = shape->centre[0] == like->centre[0] && shape->centre[1] == like->centre[1] &&
	                  shape->centre[2] == like->centre[2];
	if (status == ABUT_OK && !same && shape->kind != ABUT_SHAPE_HALFSPACE) {
		status = abut_shape_recentre(shape, like->centre, error);
	}
	return status;
}

AbutStatus abut_shape_resize(const AbutShape *shape, const double size[3], AbutShape **out, AbutError *error)
{
	AbutStatus status = abut_shape_check_out(out, error);
	if (status == ABUT_OK && shape->kind == ABUT_SHAPE_PADDED_POLYTOPE) {
		return pad(shape, size[0], out, error);
	}
	ABUT_THEN(status, construct(shape->kind, size, out, error));
	if (status == ABUT_OK) {
		status = place(shape, *out, error);
		if (status != ABUT_OK) {
			abut_shape_destroy(*out);
			*out = NULL;
		}
	}
	return status;
}

/* --- derivatives --- */

int abut_shape_size_count(AbutShapeKind kind)
{
	static const int counts[ABUT_SHAPE_COUNT] = {
	    [ABUT_SHAPE_HALFSPACE] = 1,       [ABUT_SHAPE_BOX] = 3,          [ABUT_SHAPE_POLYTOPE] = 0,
	    [ABUT_SHAPE_PADDED_POLYTOPE] = 1, [ABUT_SHAPE_SPHERE] = 1,       [ABUT_SHAPE_ELLIPSOID] = 3,
	    [ABUT_SHAPE_CAPSULE] = 2,         [ABUT_SHAPE_CYLINDER] = 2,     [ABUT_SHAPE_CONE] = 2,
	    [ABUT_SHAPE_MINKOWSKI_SUM] = 0,   [ABUT_SHAPE_INTERSECTION] = 0, [ABUT_SHAPE_CONIC] = 0,
	    [ABUT_SHAPE_SMOOTH] = 0};
	return counts[kind];
}

/* Returns the derivatives of A and d of a row, in the shape's own frame and scaled about its own origin. */
static AbutShapeChange own_row(const AbutShape *shape, int row, int size)
{
	const double *sizes = shape->size;
	const double mean = (sizes[0] + sizes[1] + sizes[2]) / 3.0;
	AbutShapeChange change = {.d = 0.0};
	switch (shape->kind) {
	case ABUT_SHAPE_BOX:
		change.d = row % 3 == size ? 1.0 : 0.0;
		break;
	case ABUT_SHAPE_PADDED_POLYTOPE:
		change.d = row == shape->n_orthant ? 1.0 : 0.0;
		break;
	case ABUT_SHAPE_SPHERE:
		change.d = row == 0 ? 1.0 : 0.0;
		break;
	case ABUT_SHAPE_ELLIPSOID: /* rows (alpha m, m p / r), where m is the mean of r */
		change.d = row == 0 ? 1.0 / 3.0 : 0.0;
		if (row > 0) {
			const double r = sizes[row - 1];
			change.A[row - 1] = -1.0 / (3.0 * r) + (row - 1 == size ? mean / (r * r) : 0.0);
		}
		break;
	case ABUT_SHAPE_CAPSULE:
	case ABUT_SHAPE_CYLINDER: /* rows of the two ends, then of the round part */
		change.d = size == 0 ? (row == 2 ? 1.0 : 0.0) : (row < 2 ? 0.5 : 0.0);
		break;
	case ABUT_SHAPE_CONE:
		change.d = size == 0 ? (row == 1 ? 0.75 : 0.0) : (row == 0 ? 0.25 : 0.0);
		if (row == 1) {
			change.A[2] = size == 0 ? 1.0 / sizes[1] : -sizes[0] / (sizes[1] * sizes[1]);
		}
		break;
	case ABUT_SHAPE_HALFSPACE: /* its offset changes h alone */
	case ABUT_SHAPE_POLYTOPE:
	case ABUT_SHAPE_MINKOWSKI_SUM:
	case ABUT_SHAPE_INTERSECTION:
	case ABUT_SHAPE_CONIC:
	case ABUT_SHAPE_SMOOTH:
	case ABUT_SHAPE_COUNT:
		break;
	}
	return change;
}

/* Let t and R be position and rotation of the own frame, and c the scaling centre. Then A = A_own R', h = A c + offset,
 * and d = d_own + A (t - c). */
AbutShapeChange abut_shape_row_by_size(const AbutShape *shape, int row, int size)
{
	AbutShapeChange change = own_row(shape, row, size);
	double A[3];
	abut_mat3_vec(shape->rotation, change.A, A);
	abut_copy3(A, change.A);
	change.d += abut_dot3(A, shape->position) - abut_dot3(A, shape->centre);
	change.h = abut_dot3(A, shape->centre) + (shape->kind == ABUT_SHAPE_HALFSPACE ? 1.0 : 0.0);
	return change;
}

double abut_shape_outer_radius_by_size(const AbutShape *shape, int size)
{
	const double *sizes = shape->size;
	switch (shape->kind) {
	case ABUT_SHAPE_BOX:
		return sizes[size] / shape->outer_radius;
	case ABUT_SHAPE_PADDED_POLYTOPE:
	case ABUT_SHAPE_SPHERE:
		return 1.0;
	case ABUT_SHAPE_ELLIPSOID:
		for (int i = 0; i < 3; i++) {
			if (sizes[i] == shape->outer_radius) {
				return i == size ? 1.0 : 0.0;
			}
		}
		return 0.0;
	case ABUT_SHAPE_CAPSULE:
		return size == 0 ? 1.0 : 0.5;
	case ABUT_SHAPE_CYLINDER:
		return (size == 0 ? sizes[0] : 0.25 * sizes[1]) / shape->outer_radius;
	case ABUT_SHAPE_CONE:
		if (0.75 * sizes[1] >= hypot(sizes[0], 0.25 * sizes[1])) {
			return size == 0 ? 0.0 : 0.75;
		}
		return (size == 0 ? sizes[0] : 0.0625 * sizes[1]) / shape->outer_radius;
	case ABUT_SHAPE_HALFSPACE:
	case ABUT_SHAPE_POLYTOPE:
	case ABUT_SHAPE_MINKOWSKI_SUM:
	case ABUT_SHAPE_INTERSECTION:
	case ABUT_SHAPE_CONIC:
	case ABUT_SHAPE_SMOOTH:
	case ABUT_SHAPE_COUNT:
		break;
	}
	return 0.0;
}
