/* Makes the shapes of the benchmarks. */
#include "experiments/bench/shapes.h"

#include <math.h>
#include <stddef.h>

#include "abut/smooth.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/vec3.h"

static AbutStatus make_padded(AbutShape **out, AbutError *error)
{
	AbutShape *core = NULL;
	AbutStatus status = abut_shape_create_box((const double[3]){0.4, 0.3, 0.2}, &core, error);
	ABUT_THEN(status, abut_shape_create_padded_polytope(core, 0.1, out, error));
	abut_shape_destroy(core);
	return status;
}

AbutStatus abut_bench_many_faced(AbutShape **out, AbutError *error)
{
	enum { POINTS = 27 };
	AbutRng rng = {7};
	double points[3 * POINTS];
	for (int i = 0; i < POINTS; i++) {
		double *p = &points[3 * i];
		for (int k = 0; k < 3; k++) {
			p[k] = abut_rng_normal(&rng);
		}
		const double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
		abut_scale3(0.5 / length, p, p);
	}
	return abut_shape_create_polytope_from_vertices(POINTS, points, out, error);
}

/* Combines a box and a sphere with `create`. */
static AbutStatus make_of_two(AbutStatus (*create)(int, const AbutShape *const *, AbutShape **, AbutError *),
                              double radius, AbutShape **out, AbutError *error)
{
	AbutShape *parts[2] = {NULL, NULL};
	AbutStatus status = abut_shape_create_box((const double[3]){0.4, 0.4, 0.4}, &parts[0], error);
	ABUT_THEN(status, abut_shape_create_sphere(radius, &parts[1], error));
	ABUT_THEN(status, create(2, (const AbutShape *const *)parts, out, error));
	abut_shape_destroy(parts[0]);
	abut_shape_destroy(parts[1]);
	return status;
}

/* Makes the ellipsoid from conic data. */
static AbutStatus make_conic(AbutShape **out, AbutError *error)
{
	static const double A[] = {0, 0, 0, -2, 0, 0, 0, -2.5, 0, 0, 0, -10.0 / 3.0}, d[] = {1, 0, 0, 0}, h[4] = {0};
	const AbutConicData data = {.n_rows = 4, .n_soc = 1, .soc_dim = (const int[]){4}, .A = A, .d = d, .h = h};
	return abut_shape_create_conic(&data, out, error);
}

AbutStatus abut_bench_hull_64(AbutShape **out, AbutError *error)
{
	enum { SIDES = 62 };
	double points[6 * SIDES];
	for (int i = 0; i < 2 * SIDES; i++) {
		const int side = i / 2;
		const double angle = 2.0 * M_PI * side / SIDES;
		points[3 * i] = 0.5 * cos(angle);
		points[3 * i + 1] = 0.5 * sin(angle);
		points[3 * i + 2] = i % 2 ? 0.5 : -0.5;
	}
	return abut_shape_create_polytope_from_vertices(2 * SIDES, points, out, error);
}

AbutStatus abut_bench_shape(AbutShapeKind kind, AbutShape **out, AbutError *error)
{
	static const double octahedron[] = {0.5, 0, 0, -0.5, 0, 0, 0, 0.5, 0, 0, -0.5, 0, 0, 0, 0.5, 0, 0, -0.5};
	switch (kind) {
	case ABUT_SHAPE_BOX:
		return abut_shape_create_box((const double[3]){0.5, 0.5, 0.5}, out, error);
	case ABUT_SHAPE_POLYTOPE:
		return abut_shape_create_polytope_from_vertices(6, octahedron, out, error);
	case ABUT_SHAPE_PADDED_POLYTOPE:
		return make_padded(out, error);
	case ABUT_SHAPE_SPHERE:
		return abut_shape_create_sphere(0.5, out, error);
	case ABUT_SHAPE_ELLIPSOID:
		return abut_shape_create_ellipsoid((const double[3]){0.5, 0.4, 0.3}, out, error);
	case ABUT_SHAPE_CAPSULE:
		return abut_shape_create_capsule(0.25, 0.5, out, error);
	case ABUT_SHAPE_CYLINDER:
		return abut_shape_create_cylinder(0.4, 0.8, out, error);
	case ABUT_SHAPE_CONE:
		return abut_shape_create_cone(1.0, 0.5, out, error);
	case ABUT_SHAPE_MINKOWSKI_SUM:
		return make_of_two(abut_shape_create_minkowski_sum, 0.25, out, error);
	case ABUT_SHAPE_INTERSECTION:
		return make_of_two(abut_shape_create_intersection, 0.5, out, error);
	case ABUT_SHAPE_CONIC:
		return make_conic(out, error);
	case ABUT_SHAPE_SMOOTH:
		return abut_shape_create_superellipsoid((const double[3]){0.5, 0.4, 0.3}, (const double[2]){4.0, 4.0},
		                                        out, error);
	case ABUT_SHAPE_HALFSPACE:
	case ABUT_SHAPE_COUNT:
		break;
	}
	return abut_shape_create_halfspace((const double[3]){0.0, 0.0, 1.0}, 0.0, out, error);
}
