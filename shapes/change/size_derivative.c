/* Derivatives of the rows that shapes/primitives/box.c to sphere.c write down. Tested by differences of the
 * constructors in tests/shapes/size_derivative.c. */
#include "shapes/change/size_derivative.h"

#include <math.h>

#include "base/vec3.h"

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

/* In the shape's own frame, about its own origin: A and d alone. */
static AbutShapeChange own_row(const AbutShape *shape, int row, int size)
{
	const double *sizes = shape->size;
	const double mean = (sizes[0] + sizes[1] + sizes[2]) / 3.0;
	AbutShapeChange change = {.d = 0.0};
	switch (shape->kind) {
	case ABUT_SHAPE_HALFSPACE: /* its offset: h alone */
	case ABUT_SHAPE_POLYTOPE:
	case ABUT_SHAPE_MINKOWSKI_SUM:
	case ABUT_SHAPE_INTERSECTION:
	case ABUT_SHAPE_CONIC:
	case ABUT_SHAPE_SMOOTH:
	case ABUT_SHAPE_COUNT:
		break;
	case ABUT_SHAPE_BOX:
		change.d = row % 3 == size ? 1.0 : 0.0;
		break;
	case ABUT_SHAPE_PADDED_POLYTOPE:
		change.d = row == shape->n_orthant ? 1.0 : 0.0;
		break;
	case ABUT_SHAPE_SPHERE:
		change.d = row == 0 ? 1.0 : 0.0;
		break;
	case ABUT_SHAPE_ELLIPSOID: /* (alpha m, m p / r), m the mean of r */
		change.d = row == 0 ? 1.0 / 3.0 : 0.0;
		if (row > 0) {
			const double r = sizes[row - 1];
			change.A[row - 1] = -1.0 / (3.0 * r) + (row - 1 == size ? mean / (r * r) : 0.0);
		}
		break;
	case ABUT_SHAPE_CAPSULE:
	case ABUT_SHAPE_CYLINDER: /* two ends, then the round */
		change.d = size == 0 ? (row == 2 ? 1.0 : 0.0) : (row < 2 ? 0.5 : 0.0);
		break;
	case ABUT_SHAPE_CONE:
		change.d = size == 0 ? (row == 1 ? 0.75 : 0.0) : (row == 0 ? 0.25 : 0.0);
		if (row == 1) {
			change.A[2] = size == 0 ? 1.0 / sizes[1] : -sizes[0] / (sizes[1] * sizes[1]);
		}
		break;
	}
	return change;
}

/* With the own frame at t, turned by R, and the shape scaled about c:  A = A_own R', h = A c + .., d = d_own + A (t -
 * c).
 */
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
