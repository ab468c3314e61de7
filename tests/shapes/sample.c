#include "sample.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abut/smooth.h"
#include "base/vec3.h"

static AbutShape *made(AbutStatus status, AbutShape *shape, const AbutError *error)
{
	cr_assert_eq(status, ABUT_OK, "%s: %s", error->where, error->message);
	cr_assert_not_null(shape);
	return shape;
}

AbutShape *sample_polytope(int n, double size, double offset, AbutRng *rng)
{
	double *points = malloc((size_t)n * 3 * sizeof *points);
	AbutShape *shape = NULL;
	AbutError error;
	for (int i = 0; i < 3 * n; i++) {
		points[i] = size * abut_rng_normal(rng) + offset;
	}
	const AbutStatus status = abut_shape_create_polytope_from_vertices(n, points, &shape, &error);
	free(points);
	return made(status, shape, &error);
}

AbutShape *sample_shape(AbutShapeKind kind, double size, AbutRng *rng)
{
	double r[3];
	AbutShape *shape = NULL, *core = NULL;
	AbutError error = {0};
	AbutStatus status = ABUT_ERROR_ARGUMENT;
	for (int i = 0; i < 3; i++) {
		r[i] = size * abut_rng_uniform(rng, 0.3, 1.5);
	}
	switch (kind) {
	case ABUT_SHAPE_HALFSPACE:
		sample_direction(rng, r);
		status = abut_shape_create_halfspace(r, abut_rng_uniform(rng, -size, size), &shape, &error);
		break;
	case ABUT_SHAPE_BOX:
		status = abut_shape_create_box(r, &shape, &error);
		break;
	case ABUT_SHAPE_POLYTOPE:
		return sample_polytope(12, size, 2.0 * size, rng);
	case ABUT_SHAPE_PADDED_POLYTOPE:
		core = sample_polytope(8, size, size, rng);
		status = abut_shape_create_padded_polytope(core, r[0], &shape, &error);
		abut_shape_destroy(core);
		break;
	case ABUT_SHAPE_SPHERE:
		status = abut_shape_create_sphere(r[0], &shape, &error);
		break;
	case ABUT_SHAPE_ELLIPSOID:
		status = abut_shape_create_ellipsoid(r, &shape, &error);
		break;
	case ABUT_SHAPE_CAPSULE:
		status = abut_shape_create_capsule(r[0], r[1], &shape, &error);
		break;
	case ABUT_SHAPE_CYLINDER:
		status = abut_shape_create_cylinder(r[0], r[1], &shape, &error);
		break;
	case ABUT_SHAPE_CONE:
		status = abut_shape_create_cone(r[0], r[1], &shape, &error);
		break;
	case ABUT_SHAPE_MINKOWSKI_SUM:
	case ABUT_SHAPE_INTERSECTION:
	case ABUT_SHAPE_CONIC:
		return sample_composite(kind, r[0], abut_rng_uniform(rng, 0.0, 1.0) < 0.5);
	case ABUT_SHAPE_SMOOTH: {
		const double exponents[2] = {abut_rng_uniform(rng, 2.0, 6.0), abut_rng_uniform(rng, 2.0, 6.0)};
		status = abut_shape_create_superellipsoid(r, exponents, &shape, &error);
		break;
	}
	case ABUT_SHAPE_COUNT:
		break;
	}
	return made(status, shape, &error);
}

void sample_direction(AbutRng *rng, double u[3])
{
	double norm = 0.0;
	while (norm < 1e-3) {
		for (int i = 0; i < 3; i++) {
			u[i] = abut_rng_normal(rng);
		}
		norm = abut_norm3(u);
	}
	for (int i = 0; i < 3; i++) {
		u[i] /= norm;
	}
}

/* Chooses eps of a capsule: nearest to the point on the axis, between the ends. */
static void choose_eps_on_segment(const AbutShape *shape, double alpha, const double *g, double eps[3])
{
	const double half = fmin(shape->h[0] + alpha * shape->d[0], shape->h[1] + alpha * shape->d[1]);
	const double along = g[3] * shape->B[3] + g[4] * shape->B[4] + g[5] * shape->B[5];
	eps[0] = fmin(half, fmax(-half, along));
}

/* Chooses eps of a padded polytope: the shortest one with B1 eps <= g1, by Hildreth's method, one multiplier after the
 * other. */
static void choose_eps_of_core(const AbutShape *shape, const double *g, double eps[3])
{
	double multipliers[256] = {0.0};
	cr_assert_leq(shape->n_orthant, 256);
	memset(eps, 0, 3 * sizeof *eps);
	for (int sweep = 0; sweep < 100000; sweep++) {
		double change = 0.0;
		for (int i = 0; i < shape->n_orthant; i++) {
			const double *b = &shape->B[3 * i];
			const double wanted = fmax(0.0, multipliers[i] + abut_dot3(b, eps) - g[i]);
			for (int k = 0; k < 3; k++) {
				eps[k] -= (wanted - multipliers[i]) * b[k];
			}
			change = fmax(change, fabs(wanted - multipliers[i]));
			multipliers[i] = wanted;
		}
		if (change < 1e-13 * shape->outer_radius) {
			break;
		}
	}
}

/* Returns the margin of one row without auxiliary variables, about its own centre, in the functions' frame. */
static double smooth_margin(const AbutShape *shape, double alpha, const double p[3])
{
	double u[4] = {0.0, 0.0, 0.0, alpha}, from[3], g;
	cr_assert(shape->n_rows == 1 && shape->n_eps == 0);
	for (int i = 0; i < 3; i++) { /* the shape at alpha 1 that p is a scaled point of, times alpha */
		from[i] = p[i] - shape->centre[i] + alpha * (shape->centre[i] - shape->position[i]);
	}
	abut_mat3_tvec(shape->rotation, from, u);
	for (int i = 0; i < 3; i++) {
		u[i] /= shape->smooth_unit;
	}
	shape->smooth->value(shape->smooth->data, u, &g);
	return -shape->smooth_unit * g;
}

double conic_margin(const AbutShape *shape, double alpha, const double p[3])
{
	double s[512], eps[3] = {0.0}, margin = INFINITY;
	if (shape->smooth) {
		return smooth_margin(shape, alpha, p);
	}
	cr_assert_leq(shape->n_rows, 512);
	for (int i = 0; i < shape->n_rows; i++) {
		s[i] = shape->h[i] + alpha * shape->d[i] - abut_dot3(&shape->A[3 * i], p);
	}
	if (shape->kind == ABUT_SHAPE_CAPSULE) {
		choose_eps_on_segment(shape, alpha, s, eps);
	} else if (shape->kind == ABUT_SHAPE_PADDED_POLYTOPE) {
		choose_eps_of_core(shape, s, eps);
	}
	for (int i = 0; i < shape->n_rows; i++) {
		for (int k = 0; k < shape->n_eps; k++) {
			s[i] -= shape->B[i * shape->n_eps + k] * eps[k];
		}
	}
	for (int i = 0; i < shape->n_orthant; i++) {
		margin = fmin(margin, s[i]);
	}
	const double *cone = &s[shape->n_orthant];
	for (int i = 0; i < shape->n_soc; i++) {
		double norm = 0.0;
		for (int k = 1; k < shape->soc_dim[i]; k++) {
			norm = hypot(norm, cone[k]);
		}
		margin = fmin(margin, cone[0] - norm);
		cone += shape->soc_dim[i];
	}
	return margin;
}
