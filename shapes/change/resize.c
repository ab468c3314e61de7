/* Other sizes: what the constructors make of them, at the old place. Tested in tests/shapes/resize.c. */
#include "shapes/change/resize.h"

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/core/conic.h"
#include "shapes/core/inputs.h"
#include "shapes/core/transform.h"

/* In its own frame. */
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

/* Another radius about the same core. */
static AbutStatus pad(const AbutShape *shape, double radius, AbutShape **out, AbutError *error)
{
	AbutStatus status = abut_shape_check_length(radius, "radius", error);
	if (status == ABUT_OK) {
		status = abut_shape_clone(shape, out, error);
	}
	if (status == ABUT_OK) {
		const double more = radius - shape->size[0];
		abut_shape_edit((*out)->d)[shape->n_orthant] = radius;
		(*out)->size[0] = radius;
		(*out)->outer_radius += more;
		(*out)->inner_radius += more;
	}
	return status;
}

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
	if (status == ABUT_OK) {
		status = construct(shape->kind, size, out, error);
	}
	if (status == ABUT_OK) {
		status = place(shape, *out, error);
		if (status != ABUT_OK) {
			abut_shape_destroy(*out);
			*out = NULL;
		}
	}
	return status;
}
