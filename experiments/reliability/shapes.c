/* Makes primitives of about unit size. */
#include <stdio.h>

#include "base/error.h"
#include "experiments/reliability/study.h"

const char *shape_name(int index)
{
	static const char *const names[SHAPE_COUNT] = {"box",      "sphere", "ellipsoid", "capsule",
	                                               "cylinder", "cone",   "padded",    "polytope"};
	return names[index];
}

AbutStatus padded_make(const double half[3], double padding, AbutShape **out, AbutError *error)
{
	AbutShape *core = NULL;
	AbutStatus status = abut_shape_create_box(half, &core, error);
	ABUT_THEN(status, abut_shape_create_padded_polytope(core, padding, out, error));
	abut_shape_destroy(core);
	return status;
}

AbutStatus cut_box_make(const double e[3], double face, double corner, AbutShape **out, AbutError *error)
{
	double A[14 * 3], b[14];
	for (int i = 0; i < 14; i++) {
		for (int j = 0; j < 3; j++) {
			const double sign = (i < 6 ? i % 2 : ((i - 6) >> j) & 1) ? -1.0 : 1.0;
			A[3 * i + j] = i >= 6 || j == i / 2 ? sign / e[j] : 0.0;
		}
		b[i] = i < 6 ? face : corner;
	}
	return abut_shape_create_polytope(14, A, b, out, error);
}

AbutShape *shape_or_message(const char *name, AbutStatus status, AbutShape *shape, const AbutError *error)
{
	if (status != ABUT_OK) {
		fprintf(stderr, "abut_reliability: %s: %s\n", name, error->message);
	}
	return shape;
}

static AbutStatus create(int index, AbutShape **out, AbutError *error)
{
	switch (index) {
	case 0:
		return abut_shape_create_box((const double[3]){0.5, 0.5, 0.5}, out, error);
	case 1:
		return abut_shape_create_sphere(0.5, out, error);
	case 2:
		return abut_shape_create_ellipsoid((const double[3]){0.6, 0.45, 0.3}, out, error);
	case 3:
		return abut_shape_create_capsule(0.3, 0.8, out, error);
	case 4:
		return abut_shape_create_cylinder(0.4, 0.8, out, error);
	case 5:
		return abut_shape_create_cone(1.0, 0.5, out, error);
	case 6:
		return padded_make((const double[3]){0.4, 0.3, 0.35}, 0.1, out, error);
	default:
		return cut_box_make((const double[3]){1.0, 1.0, 1.0}, 0.5, 1.1, out, error);
	}
}

AbutShape *shape_make(int index)
{
	AbutShape *shape = NULL;
	AbutError error = {.status = ABUT_OK};
	const AbutStatus status = create(index, &shape, &error);
	return shape_or_message(shape_name(index), status, shape, &error);
}

AbutShape *floor_make(const double normal[3])
{
	AbutShape *shape = NULL;
	AbutError error = {.status = ABUT_OK};
	const AbutStatus status = abut_shape_create_halfspace(normal, 0.0, &shape, &error);
	return shape_or_message("floor", status, shape, &error);
}
