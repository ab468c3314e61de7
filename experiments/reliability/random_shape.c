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
	return padded_make((const double[3]){e[0] - padding, e[1] - padding, e[2] - padding}, padding, out, error);
}

/* Makes a box with its corners cut, or the hull of points on an ellipsoid. */
static AbutStatus make_polytope(AbutRng *rng, const double e[3], AbutShape **out, AbutError *error)
{
	if (abut_rng_uniform(rng, 0.0, 1.0) < 0.5) {
		return cut_box_make(e, 1.0, 2.2, out, error);
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

static AbutStatus create(AbutRng *rng, int index, double size, const double e[3], AbutShape **out, AbutError *error)
{
	const double radius = e[0] < e[2] ? e[0] : e[2]; /* of a capsule */
	switch (index) {
	case 0:
		return abut_shape_create_box(e, out, error);
	case 1:
		return abut_shape_create_sphere(0.5 * size, out, error);
	case 2:
		return abut_shape_create_ellipsoid(e, out, error);
	case 3: /* for a plate, the capsule is almost a sphere */
		return e[0] < 0.5 * e[2] ? abut_shape_create_capsule(radius, 2.0 * (e[2] - radius), out, error)
		                         : abut_shape_create_capsule(0.5 * e[0], e[2], out, error);
	case 4:
		return abut_shape_create_cylinder(e[0], 2.0 * e[2], out, error);
	case 5:
		return abut_shape_create_cone(2.0 * e[2], e[0], out, error);
	case 6:
		return make_padded(rng, e, out, error);
	default:
		return make_polytope(rng, e, out, error);
	}
}

AbutShape *random_shape(AbutRng *rng, int index, double size, double aspect)
{
	AbutShape *shape = NULL;
	AbutError error = {.status = ABUT_OK};
	double e[3];
	draw_extents(rng, size, aspect, e);
	const AbutStatus status = create(rng, index, size, e, &shape, &error);
	return shape_or_message(shape_name(index), status, shape, &error);
}
