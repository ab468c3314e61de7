/* Makes shapes from a kind and its sizes (AbutShape.size). */
#pragma once

#include <criterion/criterion.h>

#include "abut/shape.h"

/* Makes a shape in its own frame; `core` is that of a padded polytope. A polytope has no sizes: fails the test. */
static inline AbutShape *shape_by_size(AbutShapeKind kind, const double s[3], const AbutShape *core)
{
	AbutShape *shape = NULL;
	AbutStatus status = ABUT_ERROR_ARGUMENT;
	switch (kind) {
	case ABUT_SHAPE_HALFSPACE:
		status = abut_shape_create_halfspace((const double[3]){0.0, 0.0, 1.0}, s[0], &shape, NULL);
		break;
	case ABUT_SHAPE_BOX:
		status = abut_shape_create_box(s, &shape, NULL);
		break;
	case ABUT_SHAPE_PADDED_POLYTOPE:
		status = abut_shape_create_padded_polytope(core, s[0], &shape, NULL);
		break;
	case ABUT_SHAPE_SPHERE:
		status = abut_shape_create_sphere(s[0], &shape, NULL);
		break;
	case ABUT_SHAPE_ELLIPSOID:
		status = abut_shape_create_ellipsoid(s, &shape, NULL);
		break;
	case ABUT_SHAPE_CAPSULE:
		status = abut_shape_create_capsule(s[0], s[1], &shape, NULL);
		break;
	case ABUT_SHAPE_CYLINDER:
		status = abut_shape_create_cylinder(s[0], s[1], &shape, NULL);
		break;
	case ABUT_SHAPE_CONE:
		status = abut_shape_create_cone(s[1], s[0], &shape, NULL);
		break;
	case ABUT_SHAPE_POLYTOPE:
	case ABUT_SHAPE_MINKOWSKI_SUM:
	case ABUT_SHAPE_INTERSECTION:
	case ABUT_SHAPE_CONIC:
	case ABUT_SHAPE_SMOOTH:
	case ABUT_SHAPE_COUNT:
		break;
	}
	cr_assert_eq(status, ABUT_OK, "%s", abut_shape_kind_name(kind));
	return shape;
}
