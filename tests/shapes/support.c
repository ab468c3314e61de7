/* Compares the conic rows with the support functions, which share no code. For any direction u and its support point x,
 * x must be in the set and x + delta u must not. Thus each description contains the other. Also compares the support
 * functions with dense samples of the surfaces. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <math.h>

#include "base/vec3.h"
#include "sample.h"
#include "shapes/support/bounds.h"
#include "shapes/support/support.h"

/* The bounded kinds. */
static int bounded_kinds[] = {ABUT_SHAPE_BOX,      ABUT_SHAPE_POLYTOPE,  ABUT_SHAPE_PADDED_POLYTOPE,
                              ABUT_SHAPE_SPHERE,   ABUT_SHAPE_ELLIPSOID, ABUT_SHAPE_CAPSULE,
                              ABUT_SHAPE_CYLINDER, ABUT_SHAPE_CONE,      ABUT_SHAPE_SMOOTH};

ParameterizedTestParameters(support, agrees_with_conic_rows)
{
	return cr_make_param_array(int, bounded_kinds, sizeof bounded_kinds / sizeof *bounded_kinds);
}

ParameterizedTest(int *kind, support, agrees_with_conic_rows)
{
	for (unsigned seed = 0; seed < 40; seed++) {
		AbutRng rng = {seed};
		const double size = pow(10.0, abut_rng_uniform(&rng, -3.0, 3.0));
		AbutShape *shape = sample_shape((AbutShapeKind)*kind, size, &rng);
		if (seed > 0) {
			sample_move(shape, 3.0 * size, &rng);
		}
		const double delta = 1e-7 * shape->outer_radius;
		for (int i = 0; i < 50; i++) {
			const double alpha = abut_rng_uniform(&rng, 0.3, 2.0);
			double u[3], x[3], outside[3], inside[3];
			sample_direction(&rng, u);
			const double value = abut_shape_support(shape, u, x);
			cr_assert_float_eq(value, abut_dot3(u, x), 1e-13 * (shape->outer_radius + abut_norm3(x)),
			                   "%s, seed %u: the point does not reach the value",
			                   abut_shape_kind_name(shape->kind), seed);
			for (int k = 0; k < 3; k++) {
				const double scaled = shape->centre[k] + alpha * (x[k] - shape->centre[k]);
				outside[k] = scaled + delta * u[k];
				inside[k] = scaled + 1e-7 * (shape->centre[k] - scaled);
			}
			cr_assert_geq(conic_margin(shape, alpha, inside), -1e-12 * shape->outer_radius,
			              "%s, seed %u, direction %d, alpha %g", abut_shape_kind_name(shape->kind), seed, i,
			              alpha);
			cr_assert_lt(conic_margin(shape, alpha, outside), -1e-9 * shape->outer_radius,
			             "%s, seed %u, direction %d, alpha %g", abut_shape_kind_name(shape->kind), seed, i,
			             alpha);
		}
		abut_shape_destroy(shape);
	}
}

ParameterizedTestParameters(support, radii_are_tight)
{
	return cr_make_param_array(int, bounded_kinds, sizeof bounded_kinds / sizeof *bounded_kinds);
}

/* The extremes of the support about the centre, over many directions, lie between the radii and come close to them. */
ParameterizedTest(int *kind, support, radii_are_tight)
{
	for (unsigned seed = 0; seed < 5; seed++) {
		AbutRng rng = {seed};
		AbutShape *shape = sample_shape((AbutShapeKind)*kind, 1.0, &rng);
		sample_move(shape, 1.0, &rng);
		double low = INFINITY, high = 0.0;
		for (int i = 0; i < 20000; i++) {
			double u[3];
			sample_direction(&rng, u);
			const double reach = abut_shape_support(shape, u, NULL) - abut_dot3(u, shape->centre);
			low = fmin(low, reach);
			high = fmax(high, reach);
		}
		const char *name = abut_shape_kind_name(shape->kind);
		cr_assert_leq(high, shape->outer_radius * (1.0 + 1e-14), "%s, seed %u", name, seed);
		cr_assert_geq(low, shape->inner_radius * (1.0 - 1e-14), "%s, seed %u", name, seed);
		cr_assert_geq(high, shape->outer_radius * 0.99, "%s, seed %u", name, seed);
		cr_assert_leq(low, shape->inner_radius * 1.2, "%s, seed %u", name, seed);
		abut_shape_destroy(shape);
	}
}

/* Computes a point of the surface in the own frame from (a, b) in [0, 1]^2, by its definition. */
static void surface_point(const AbutShape *shape, double a, double b, double p[3])
{
	const double turn = 2.0 * M_PI * a, z = 2.0 * b - 1.0, ring = sqrt(fmax(0.0, 1.0 - z * z));
	const double ball[3] = {ring * cos(turn), ring * sin(turn), z};
	const double *size = shape->size;
	const double end = z < 0.0 ? -1.0 : 1.0;
	abut_copy3(ball, p);
	switch (shape->kind) {
	case ABUT_SHAPE_BOX:
		p[0] = a < 0.5 ? -size[0] : size[0];
		p[1] = fmod(4.0 * a, 2.0) < 1.0 ? -size[1] : size[1];
		p[2] = end * size[2];
		break;
	case ABUT_SHAPE_SPHERE:
		for (int i = 0; i < 3; i++) {
			p[i] *= size[0];
		}
		break;
	case ABUT_SHAPE_ELLIPSOID:
		for (int i = 0; i < 3; i++) {
			p[i] *= size[i];
		}
		break;
	case ABUT_SHAPE_CAPSULE:
		for (int i = 0; i < 3; i++) {
			p[i] *= size[0];
		}
		p[2] += 0.5 * end * size[1];
		break;
	case ABUT_SHAPE_CYLINDER:
		p[0] = size[0] * cos(turn);
		p[1] = size[0] * sin(turn);
		p[2] = 0.5 * z * size[1];
		break;
	case ABUT_SHAPE_CONE:
		p[0] = size[0] * (1.0 - b) * cos(turn);
		p[1] = size[0] * (1.0 - b) * sin(turn);
		p[2] = (b - 0.25) * size[1];
		break;
	case ABUT_SHAPE_POLYTOPE:
	case ABUT_SHAPE_PADDED_POLYTOPE:
	case ABUT_SHAPE_SMOOTH:
	case ABUT_SHAPE_HALFSPACE:
	case ABUT_SHAPE_MINKOWSKI_SUM:
	case ABUT_SHAPE_INTERSECTION:
	case ABUT_SHAPE_CONIC:
	case ABUT_SHAPE_COUNT:
		cr_assert_fail("no surface for a %s", abut_shape_kind_name(shape->kind));
	}
}

static int smooth_kinds[] = {ABUT_SHAPE_BOX,     ABUT_SHAPE_SPHERE,   ABUT_SHAPE_ELLIPSOID,
                             ABUT_SHAPE_CAPSULE, ABUT_SHAPE_CYLINDER, ABUT_SHAPE_CONE};

ParameterizedTestParameters(support, agrees_with_dense_samples)
{
	return cr_make_param_array(int, smooth_kinds, sizeof smooth_kinds / sizeof *smooth_kinds);
}

ParameterizedTest(int *kind, support, agrees_with_dense_samples)
{
	AbutRng rng = {7};
	AbutShape *shape = sample_shape((AbutShapeKind)*kind, 1.0, &rng);
	for (int i = 0; i < 20; i++) {
		double u[3], best = -INFINITY;
		sample_direction(&rng, u);
		for (int a = 0; a <= 200; a++) {
			for (int b = 0; b <= 200; b++) {
				double p[3];
				surface_point(shape, a / 200.0, b / 200.0, p);
				best = fmax(best, abut_dot3(u, p));
			}
		}
		const double value = abut_shape_support(shape, u, NULL);
		cr_assert_leq(best, value + 1e-13, "%s, direction %d", abut_shape_kind_name(shape->kind), i);
		cr_assert_geq(best, value - 2e-3, "%s, direction %d: %g of %g", abut_shape_kind_name(shape->kind), i,
		              best, value);
	}
	abut_shape_destroy(shape);
}

Test(support, polytope_is_the_best_vertex)
{
	AbutRng rng = {3};
	AbutShape *shape = sample_polytope(60, 1.0, 0.0, &rng), *padded = NULL;
	cr_assert_eq(abut_shape_create_padded_polytope(shape, 0.3, &padded, NULL), ABUT_OK);
	for (int i = 0; i < 100; i++) {
		double u[3], best = -INFINITY;
		sample_direction(&rng, u);
		for (int k = 0; k < shape->n_vertices; k++) {
			best = fmax(best, abut_dot3(&shape->vertices[3 * k], u));
		}
		cr_assert_float_eq(abut_shape_support(shape, u, NULL), best, 1e-14);
		cr_assert_float_eq(abut_shape_support(padded, u, NULL), best + 0.3, 1e-14);
	}
	abut_shape_destroy(padded);
	abut_shape_destroy(shape);
}

/* Only the value depends on the length of the direction, from the smallest to the largest numbers. */
Test(support, is_homogeneous)
{
	for (int kind = 0; kind < ABUT_SHAPE_COUNT; kind++) {
		AbutRng rng = {11};
		AbutShape *shape = sample_shape((AbutShapeKind)kind, 1.0, &rng);
		/* those that only rows describe are had by a program, to 1e-10 */
		const double rounding = kind < (int)ABUT_SHAPE_INTERSECTION ? 1e-13 : 1e-10;
		const double factors[] = {1e-300, 1e-5, 3.0, 1e300};
		double u[3], x[3], y[3];
		sample_direction(&rng, u);
		const double value = abut_shape_support(shape, u, x);
		for (int i = 0; i < 4; i++) {
			const double scaled[3] = {factors[i] * u[0], factors[i] * u[1], factors[i] * u[2]};
			const double reached = abut_shape_support(shape, scaled, y);
			cr_assert(reached == value || fabs(reached / factors[i] - value) < rounding,
			          "%s, factor %g: %g", abut_shape_kind_name(shape->kind), factors[i], reached);
			/* a program returns a point that reaches the value; the position of this point is known to 2e-8
			 * here */
			cr_assert(kind < (int)ABUT_SHAPE_INTERSECTION || fabs(abut_dot3(u, y) - value) < rounding,
			          "%s, factor %g", abut_shape_kind_name(shape->kind), factors[i]);
			for (int k = 0; k < 3 && kind < (int)ABUT_SHAPE_INTERSECTION; k++) {
				cr_assert_float_eq(x[k], y[k], rounding);
			}
		}
		cr_assert_eq(abut_shape_support(shape, (const double[]){0.0, 0.0, 0.0}, x), 0.0);
		cr_assert_eq(x[0], shape->centre[0]);
		cr_assert(isnan(abut_shape_support(shape, (const double[]){0.0, (double)NAN, 1.0}, x)));
		cr_assert(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]));
		abut_shape_destroy(shape);
	}
}

Test(support, halfspace_is_bounded_along_its_normal_only)
{
	for (unsigned seed = 0; seed < 100; seed++) {
		AbutRng rng = {seed};
		double n[3], u[3], x[3];
		AbutShape *shape = NULL;
		sample_direction(&rng, n);
		cr_assert_eq(abut_shape_create_halfspace(n, 0.7, &shape, NULL), ABUT_OK);
		cr_assert_float_eq(abut_shape_support(shape, n, x), 0.7, 1e-14, "seed %u", seed);
		cr_assert_float_eq(abut_dot3(n, x), 0.7, 1e-14, "seed %u", seed);
		cr_assert_float_eq(conic_margin(shape, 1.0, x), 0.0, 1e-14, "seed %u", seed);
		/* A halfspace does not scale. */
		cr_assert_float_eq(conic_margin(shape, 0.1, x), 0.0, 1e-14, "seed %u", seed);
		sample_move(shape, 10.0, &rng);
		abut_mat3_vec(shape->rotation, (const double[]){0.0, 0.0, 2.0}, u);
		const double value = abut_shape_support(shape, u, x);
		cr_assert_float_eq(value, 2.0 * (shape->h[0] + shape->d[0]), 1e-12, "seed %u", seed);
		cr_assert_float_eq(conic_margin(shape, 1.0, x), 0.0, 1e-13, "seed %u", seed);
		sample_direction(&rng, u);
		cr_assert_eq(abut_shape_support(shape, u, NULL), (double)INFINITY, "seed %u", seed);
		abut_shape_destroy(shape);
	}
}

/* Compositions of up to three levels and smooth shapes, rotated, moved and scaled. Where the function has a closed
 * form, they agree. Includes the corners and edges of the cage, where rounding decides the triangle. */
Test(support, bounds_hold)
{
	for (unsigned seed = 0; seed < 24; seed++) {
		AbutRng rng = {seed};
		AbutShape *shape = sample_shape((AbutShapeKind)(ABUT_SHAPE_MINKOWSKI_SUM + seed % 4), 1.0, &rng);
		sample_move(shape, 2.0, &rng);
		cr_assert_eq(abut_shape_scale(shape, 3.0, NULL), ABUT_OK);
		const double R = shape->outer_radius;
		double apart = 0.0;
		for (int i = 0; i < 30; i++) {
			double u[3], lower, upper;
			sample_direction(&rng, u);
			for (int k = 0; k < 3 && i < 15; k++) {
				u[k] = round(8.0 * u[k]) / 8.0; /* own axes: what the cage is made along */
			}
			const double length = abut_norm3(u);
			for (int k = 0; k < 3; k++) {
				u[k] /= length;
			}
			if (i < 15) {
				abut_mat3_vec(shape->rotation, u, u);
			}
			const double value = abut_shape_support(shape, u, NULL);
			abut_shape_support_bounds(shape, u, &lower, &upper);
			cr_assert_geq(upper, value - 1e-9 * R, "seed %u, direction %d: %g below %g", seed, i, upper,
			              value);
			cr_assert_leq(lower, value + 1e-9 * R, "seed %u, direction %d: %g above %g", seed, i, lower,
			              value);
			apart += (upper - lower) / 30.0;
			if (abut_shape_support_is_closed(shape)) {
				cr_assert(lower == value && upper == value, "seed %u, direction %d", seed, i);
			}
		}
		cr_assert_leq(apart, 0.1 * R, "seed %u: %g of %g", seed, apart, R);
		abut_shape_destroy(shape);
	}
}
