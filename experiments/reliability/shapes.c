/* Makes primitives of about unit size. */
#include <stdio.h>

#include "base/error.h"
#include "experiments/reliability/study.h"

enum { N_SHAPES = 8 };

int shape_count(void)
{
	return N_SHAPES;
}

const char *shape_name(int index)
{
	static const char *const names[N_SHAPES] = {"box",      "sphere", "ellipsoid", "capsule",
	                                            "cylinder", "cone",   "padded",    "polytope"};
	return names[index];
}

static AbutStatus make_padded(AbutShape **out, AbutError *error)
{
	AbutShape *core = NULL;
	AbutStatus status = abut_shape_create_box((const double[3]){0.4, 0.3, 0.35}, &core, error);
	ABUT_THEN(status, abut_shape_create_padded_polytope(core, 0.1, out, error));
	abut_shape_destroy(core);
	return status;
}

/* Makes a box with its corners cut: 14 faces. */
static AbutStatus make_polytope(AbutShape **out, AbutError *error)
{
	double A[14 * 3], b[14];
	int n = 0;
	for (int i = 0; i < 6; i++, n++) {
		for (int j = 0; j < 3; j++) {
			A[3 * n + j] = j == i / 2 ? (i % 2 ? -1.0 : 1.0) : 0.0;
		}
		b[n] = 0.5;
	}
	for (int i = 0; i < 8; i++, n++) {
		for (int j = 0; j < 3; j++) {
			A[3 * n + j] = (i >> j) & 1 ? -1.0 : 1.0;
		}
		b[n] = 1.1;
	}
	return abut_shape_create_polytope(n, A, b, out, error);
}

AbutShape *shape_make(int index)
{
	AbutShape *shape = NULL;
	AbutError error = {.status = ABUT_OK};
	AbutStatus status = ABUT_ERROR_ARGUMENT;
	switch (index) {
	case 0:
		status = abut_shape_create_box((const double[3]){0.5, 0.5, 0.5}, &shape, &error);
		break;
	case 1:
		status = abut_shape_create_sphere(0.5, &shape, &error);
		break;
	case 2:
		status = abut_shape_create_ellipsoid((const double[3]){0.6, 0.45, 0.3}, &shape, &error);
		break;
	case 3:
		status = abut_shape_create_capsule(0.3, 0.8, &shape, &error);
		break;
	case 4:
		status = abut_shape_create_cylinder(0.4, 0.8, &shape, &error);
		break;
	case 5:
		status = abut_shape_create_cone(1.0, 0.5, &shape, &error);
		break;
	case 6:
		status = make_padded(&shape, &error);
		break;
	case 7:
		status = make_polytope(&shape, &error);
		break;
	default:
		break;
	}
	if (status != ABUT_OK) {
		fprintf(stderr, "abut_reliability: %s: %s\n", shape_name(index), error.message);
	}
	return shape;
}

AbutShape *floor_make(const double normal[3])
{
	AbutShape *shape = NULL;
	AbutError error = {.status = ABUT_OK};
	if (abut_shape_create_halfspace(normal, 0.0, &shape, &error) != ABUT_OK) {
		fprintf(stderr, "abut_reliability: floor: %s\n", error.message);
	}
	return shape;
}
