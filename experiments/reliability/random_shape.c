/* Makes primitives of random proportions. */
#include "experiments/reliability/random_shape.h"

#include <stdio.h>

#include "base/error.h"
#include "experiments/reliability/study.h"

/* Draws the half extents `e` of the box around the shape. */
static void draw_extents(AbutRng *rng, double size, double aspect, double e[3])
{
	const bool cubic = abut_rng_uniform(rng, 0.0, 1.0) < 0.5;
	const bool rod = abut_rng_uniform(rng, 0.0, 1.0) < 0.5;
	for (int i = 0; i < 3; i++) {
		const double proportion = abut_rng_uniform(rng, 0.4, 1.0);
		const bool thin = rod ? i < 2 : i == 2;
		e[i] = 0.5 * size * (cubic ? 1.0 : proportion) / (thin ? aspect : 1.0);
	}
}

static double least(const double e[3])
{
	const double low = e[0] < e[1] ? e[0] : e[1];
	return low < e[2] ? low : e[2];
}

static AbutStatus make_padded(AbutRng *rng, const double e[3], AbutShape **out, AbutError *error)
{
	const double padding = least(e) * abut_rng_uniform(rng, 0.1, 0.9);
	AbutShape *core = NULL;
	AbutStatus status =
	    abut_shape_create_box((const double[3]){e[0] - padding, e[1] - padding, e[2] - padding}, &core, error);
	ABUT_THEN(status, abut_shape_create_padded_polytope(core, padding, out, error));
	abut_shape_destroy(core);
	return status;
}

/* Makes a box with its corners cut, or the hull of points on an ellipsoid. */
static AbutStatus make_polytope(AbutRng *rng, const double e[3], AbutShape **out, AbutError *error)
{
	if (abut_rng_uniform(rng, 0.0, 1.0) < 0.5) {
		double A[14 * 3], b[14];
		int n = 0;
		for (int i = 0; i < 6; i++, n++) {
			for (int j = 0; j < 3; j++) {
				A[3 * n + j] = j == i / 2 ? (i % 2 ? -1.0 : 1.0) / e[j] : 0.0;
			}
			b[n] = 1.0;
		}
		for (int i = 0; i < 8; i++, n++) {
			for (int j = 0; j < 3; j++) {
				A[3 * n + j] = ((i >> j) & 1 ? -1.0 : 1.0) / e[j];
			}
			b[n] = 2.2;
		}
		return abut_shape_create_polytope(n, A, b, out, error);
	}
	enum { MOST_POINTS = 20 };
	double points[MOST_POINTS * 3];
	const int n = 6 + (int)(abut_rng_next(rng) % (MOST_POINTS - 5));
	for (int i = 0; i < n; i++) {
		double norm = 0.0;
		for (int j = 0; j < 3; j++) {
			points[3 * i + j] = abut_rng_normal(rng);
			norm += points[3 * i + j] * points[3 * i + j];
		}
		for (int j = 0; j < 3; j++) {
			points[3 * i + j] *= e[j] / sqrt(norm);
		}
	}
	return abut_shape_create_polytope_from_vertices(n, points, out, error);
}

AbutShape *random_shape(AbutRng *rng, int index, double size, double aspect)
{
	AbutShape *shape = NULL;
	AbutError error = {.status = ABUT_OK};
	AbutStatus status = ABUT_ERROR_ARGUMENT;
	double e[3];
	draw_extents(rng, size, aspect, e);
	const double radius = e[0] < e[2] ? e[0] : e[2]; /* of a capsule */
	switch (index) {
	case 0:
		status = abut_shape_create_box(e, &shape, &error);
		break;
	case 1:
		status = abut_shape_create_sphere(0.5 * size, &shape, &error);
		break;
	case 2:
		status = abut_shape_create_ellipsoid(e, &shape, &error);
		break;
	case 3: /* for a plate, the capsule is almost a sphere */
		status = e[0] < 0.5 * e[2] ? abut_shape_create_capsule(radius, 2.0 * (e[2] - radius), &shape, &error)
		                           : abut_shape_create_capsule(0.5 * e[0], e[2], &shape, &error);
		break;
	case 4:
		status = abut_shape_create_cylinder(e[0], 2.0 * e[2], &shape, &error);
		break;
	case 5:
		status = abut_shape_create_cone(2.0 * e[2], e[0], &shape, &error);
		break;
	case 6:
		status = make_padded(rng, e, &shape, &error);
		break;
	case 7:
		status = make_polytope(rng, e, &shape, &error);
		break;
	default:
		break;
	}
	if (status != ABUT_OK) {
		fprintf(stderr, "abut_reliability: %s: %s\n", shape_name(index), error.message);
	}
	return shape;
}
