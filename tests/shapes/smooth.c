/* Tests shapes of functions: reach and mass by closed forms, refusals of the constructor and of the shape tests. */

#include <criterion/criterion.h>
#include <string.h>

#include "abut/shape_check.h"
#include "base/vec3.h"
#include "effort.h"
#include "sample.h"
#include "shapes/core/conic.h"
#include "shapes/query/smooth_reach.h"
#include "shapes/smooth/smooth_mass.h"
#include "shapes/support/contact_rows.h"
#include "superellipsoid.h"
#include "two_balls.h"

/* Draws directions all round, along faces, and almost along faces, where the boundary is flat. */
static void sample_towards(unsigned i, AbutRng *rng, double u[3])
{
	sample_direction(rng, u);
	for (int j = 0; j < 3; j++) {
		u[j] *= i % 4 == 1 && j < 2 ? 1e-4 : i % 4 == 2 && j == 1 ? 0.0 : i % 4 == 3 && j == 2 ? 1e-9 : 1.0;
	}
	const double length = abut_norm3(u);
	for (int j = 0; j < 3; j++) {
		u[j] /= length;
	}
}

static AbutShape *sample_superellipsoid(AbutRng *rng, double most, double r[3], double exponents[2])
{
	AbutShape *shape = NULL;
	AbutError error = {0};
	for (int i = 0; i < 3; i++) {
		r[i] = pow(10.0, abut_rng_uniform(rng, -1.0, 0.2));
	}
	for (int i = 0; i < 2; i++) {
		exponents[i] = abut_rng_uniform(rng, 0.0, 1.0) < 0.3 ? 2.0 : abut_rng_uniform(rng, 2.0, most);
	}
	cr_assert_eq(abut_shape_create_superellipsoid(r, exponents, &shape, &error), ABUT_OK, "%s", error.message);
	return shape;
}

/* The dual norm is the support function; the largest reach is the outer radius. */
Test(smooth, support_of_superellipsoids)
{
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		double r[3], exponents[2];
		AbutShape *shape = sample_superellipsoid(&rng, 8.0, r, exponents);
		for (unsigned i = 0; i < 100; i++) {
			double u[3], point[3], other[3];
			sample_towards(i, &rng, u);
			const double wanted = superellipsoid_support(r, exponents, u, other);
			const double value = abut_shape_support(shape, u, point);
			cr_assert_float_eq(value, wanted, 1e-12 * shape->outer_radius, "seed %u: %.15g, %.15g", seed,
			                   value, wanted);
			cr_assert_float_eq(abut_dot3(point, u), value, 1e-12 * shape->outer_radius, "seed %u", seed);
		}
		abut_shape_destroy(shape);
	}
}

/* Thin shapes to 1:1000 with exponents to 20, along and nearly along the axes. Without the functions for furthest
 * points, the program finds the same points. */
Test(smooth, program_finds_points_of_thin_ones)
{
	int asked = 0, missed = 0;
	for (unsigned seed = 0; seed < 60; seed++) {
		AbutRng rng = {seed};
		const double thin = pow(10.0, -abut_rng_uniform(&rng, 0.0, 3.0));
		const double r[3] = {0.5, seed % 2 ? 0.5 * thin : 0.5, 0.5 * thin};
		const double exponents[2] = {abut_rng_uniform(&rng, 2.0, 20.0), abut_rng_uniform(&rng, 2.0, 20.0)};
		AbutShape *shape = NULL;
		AbutError error = {0};
		cr_assert_eq(abut_shape_create_superellipsoid(r, exponents, &shape, &error), ABUT_OK, "seed %u: %s",
		             seed, error.message);
		AbutSmooth functions = *shape->smooth;
		functions.furthest = NULL;
		for (unsigned i = 0; i < 40; i++) {
			AbutSmoothReach known, found;
			double u[3];
			sample_towards(i, &rng, u);
			cr_assert(abut_smooth_furthest(shape->smooth, u, 1.0, &known), "seed %u, direction %u", seed,
			          i);
			asked++;
			if (!abut_smooth_furthest(&functions, u, 1.0, &found)) {
				missed++;
				continue;
			}
			cr_assert_float_eq(found.value, known.value, 1e-9, "seed %u: %.12g, %.12g", seed, found.value,
			                   known.value);
			cr_assert_float_eq(found.lambda[0], known.lambda[0], 1e-4 * known.lambda[0],
			                   "seed %u, direction %u: %g, %g", seed, i, found.lambda[0], known.lambda[0]);
		}
		abut_shape_destroy(shape);
	}
	cr_assert_leq(missed, asked / 200, "%d of %d", missed, asked);
}

/* A function's furthest point is accepted if it lies on the boundary and has that normal. */
static void no_point(const void *data, const double direction[3], double point[3])
{
	(void)data;
	abut_copy3(direction, point); /* of the unit ball */
}

Test(smooth, wrong_furthest_points_are_refused)
{
	const double r[3] = {0.5, 0.4, 0.3}, exponents[2] = {3.0, 3.0};
	const AbutMassProperties mass = {.volume = 0.5, .inertia = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}};
	AbutShape *shape = NULL, *wrong = NULL;
	AbutError error = {0};
	AbutShapeReport report;
	cr_assert_eq(abut_shape_create_superellipsoid(r, exponents, &shape, &error), ABUT_OK);
	AbutSmooth functions = *shape->smooth;
	functions.furthest = no_point;
	cr_expect_eq(abut_shape_create_smooth(&functions, &mass, &wrong, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_null(wrong);
	cr_assert_eq(abut_shape_check_functions(&functions, &report), ABUT_OK);
	cr_expect_eq(report.failed, ABUT_SHAPE_TEST_BOUNDED, "%s", report.message);
	TwoBalls balls = {0.4, 0.4, 0.7};
	functions = two_balls(&balls);
	functions.furthest = no_point;
	cr_expect_eq(abut_shape_create_smooth(&functions, &mass, &wrong, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "furthest is given for 3 rows and 1"), "%s", error.message);
	abut_shape_destroy(shape);
}

/* Three rows and an auxiliary variable: a capsule cut by a ball. */
Test(smooth, support_of_an_intersection)
{
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		TwoBalls balls = {abut_rng_uniform(&rng, 0.2, 0.5), abut_rng_uniform(&rng, 0.2, 0.6), 0.7};
		const AbutSmooth f = two_balls(&balls);
		for (unsigned i = 0; i < 50; i++) {
			AbutSmoothReach reach;
			double u[3];
			sample_direction(&rng, u);
			cr_assert(abut_smooth_furthest(&f, u, 1.0, &reach), "seed %u", seed);
			cr_assert_float_eq(reach.value, balls_support(&balls, u), 1e-11, "seed %u: %.15g, %.15g", seed,
			                   reach.value, balls_support(&balls, u));
		}
	}
}

/* Compares d point / d direction with differences of the closed form's point, relative to the size over the least
 * curvature. Exponents near 2 and directions off the axes keep this below 100. */
Test(smooth, points_move_as_differences_say)
{
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		const double r[3] = {1.0, 0.8, 0.6}, exponents[2] = {2.5, 3.0}, h = 1e-5;
		AbutShape *shape = NULL;
		cr_assert_eq(abut_shape_create_superellipsoid(r, exponents, &shape, NULL), ABUT_OK);
		double u[3], point[3], bend[9];
		for (int i = 0; i < 3; i++) {
			u[i] = copysign(abut_rng_uniform(&rng, 0.4, 0.7), abut_rng_normal(&rng));
		}
		const double length = abut_norm3(u);
		for (int i = 0; i < 3; i++) {
			u[i] /= length;
		}
		AbutSmoothReach reach;
		cr_assert(abut_smooth_furthest(shape->smooth, u, 1.0, &reach));
		memcpy(bend, reach.bend, sizeof bend);
		for (int j = 0; j < 3; j++) {
			double high[3], low[3], moved[3];
			abut_copy3(u, moved);
			moved[j] = u[j] + h;
			superellipsoid_support(r, exponents, moved, high);
			moved[j] = u[j] - h;
			superellipsoid_support(r, exponents, moved, low);
			for (int i = 0; i < 3; i++) {
				cr_assert_float_eq(bend[3 * i + j], (high[i] - low[i]) / (2.0 * h), 1e-5,
				                   "seed %u: %g, %g", seed, bend[3 * i + j],
				                   (high[i] - low[i]) / (2.0 * h));
			}
		}
		(void)point;
		abut_shape_destroy(shape);
	}
}

/* lambda gives the normal at the furthest point of the scaled shape, wherever it was moved. */
Test(smooth, contact_rows_bear_the_normal)
{
	for (unsigned seed = 0; seed < 100; seed++) {
		AbutRng rng = {seed};
		double r[3], exponents[2], u[3], x[3], p[3], lambda, g[3], G[4], v[4], H;
		AbutShape *shape = sample_superellipsoid(&rng, 5.0, r, exponents);
		sample_move(shape, 2.0, &rng);
		sample_direction(&rng, u);
		const double alpha = abut_rng_uniform(&rng, 0.5, 2.0);
		abut_shape_support(shape, u, x);
		for (int i = 0; i < 3; i++) {
			p[i] = shape->centre[i] + alpha * (x[i] - shape->centre[i]) - shape->position[i];
		}
		cr_assert(abut_shape_contact_rows(shape, x, alpha, u, &lambda, NULL), "seed %u", seed);
		abut_mat3_tvec(shape->rotation, p, v);
		v[3] = alpha;
		shape->smooth->value(shape->smooth->data, v, &H);
		shape->smooth->gradient(shape->smooth->data, v, G);
		abut_mat3_vec(shape->rotation, G, g);
		cr_assert_float_eq(H, 0.0, 1e-9, "seed %u: %g", seed, H);
		for (int i = 0; i < 3; i++) {
			cr_assert_float_eq(lambda * g[i], u[i], 1e-6, "seed %u: %g of %g", seed, lambda * g[i], u[i]);
		}
		abut_shape_destroy(shape);
	}
}

/* Compares the closed form by gamma functions with integration over rays, within its stated error. */
Test(smooth, mass_of_superellipsoids)
{
	for (unsigned seed = 0; seed < 12; seed++) {
		AbutRng rng = {seed};
		AbutMassProperties mass;
		double r[3], exponents[2], least, error;
		for (int i = 0; i < 3; i++) {
			r[i] = abut_rng_uniform(&rng, 0.5, 1.0);
		}
		exponents[0] = seed % 3 ? 2.0 * (1.0 + seed % 2) : 2.0;
		exponents[1] = seed % 3 == 1 ? 4.0 : exponents[0];
		AbutShape *shape = NULL;
		cr_assert_eq(abut_shape_create_superellipsoid(r, exponents, &shape, NULL), ABUT_OK);
		cr_assert(abut_smooth_mass(shape->smooth, &mass, &least, &error), "seed %u: error %g", seed, error);
		cr_assert_leq(error, ABUT_SMOOTH_MASS_ERROR);
		const double volume = shape->mass.volume;
		cr_assert_float_eq(mass.volume, volume, 1e-6 * volume, "seed %u: %.12g, %.12g", seed, mass.volume,
		                   volume);
		for (int i = 0; i < 9; i++) {
			cr_assert_float_eq(mass.inertia[i], shape->mass.inertia[i], 2e-6 * volume, "seed %u: %g, %g",
			                   seed, mass.inertia[i], shape->mass.inertia[i]);
		}
		cr_assert_geq(least, shape->inner_radius);
		abut_shape_destroy(shape);
	}
}

/* With exponent 2 the shape is the ellipsoid, including its mass. */
Test(smooth, exponent_2_is_the_ellipsoid)
{
	const double r[3] = {0.5, 0.4, 0.3}, two[2] = {2.0, 2.0};
	AbutShape *a = NULL, *b = NULL;
	cr_assert_eq(abut_shape_create_superellipsoid(r, two, &a, NULL), ABUT_OK);
	cr_assert_eq(abut_shape_create_ellipsoid(r, &b, NULL), ABUT_OK);
	cr_assert_float_eq(a->mass.volume, b->mass.volume, 1e-15);
	cr_assert_float_eq(a->outer_radius, b->outer_radius, 1e-15);
	for (int i = 0; i < 9; i++) {
		cr_assert_float_eq(a->mass.inertia[i], b->mass.inertia[i], 1e-16);
	}
	abut_shape_destroy(a);
	abut_shape_destroy(b);
}

/* --- data of the user's --- */

static int copies;

static void *count_clone(const void *data)
{
	TwoBalls *copy = malloc(sizeof *copy);
	*copy = *(const TwoBalls *)data;
	copies++;
	return copy;
}

static void count_destroy(void *data)
{
	copies--;
	free(data);
}

static void *no_clone(const void *data)
{
	(void)data;
	return NULL;
}

Test(smooth, data_is_copied_and_freed)
{
	TwoBalls balls = {0.4, 0.4, 0.7};
	const AbutMassProperties mass = {.volume = 0.5, .inertia = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}};
	AbutSmooth f = two_balls(&balls);
	AbutShape *shape = NULL, *copy = NULL;
	f.clone = count_clone;
	f.destroy = count_destroy;
	cr_assert_eq(abut_shape_create_smooth(&f, &mass, &shape, NULL), ABUT_OK);
	cr_assert_eq(abut_shape_clone(shape, &copy, NULL), ABUT_OK);
	cr_assert_eq(copies, 2);
	cr_assert_neq(copy->smooth->data, shape->smooth->data);
	abut_shape_destroy(shape);
	balls.radius = 0.0; /* the caller's own may change */
	const double up[3] = {0.0, 0.0, 1.0};
	cr_assert_float_eq(abut_shape_support(copy, up, NULL), 0.7, 1e-12);
	abut_shape_destroy(copy);
	cr_assert_eq(copies, 0);
	f.clone = no_clone;
	balls.radius = 0.4;
	AbutError error = {0};
	cr_assert_eq(abut_shape_create_smooth(&f, &mass, &shape, &error), ABUT_ERROR_MEMORY, "%s", error.message);
	cr_assert_null(shape);
	cr_assert_eq(copies, 0);
}

/* Without a given mass, it is integrated. The cut capsule has an edge, and the error reports it. */
Test(smooth, mass_with_kinks_is_asked_for)
{
	TwoBalls balls = {0.4, 0.5, 0.7}, round = {0.4, 0.2, 5.0};
	AbutSmooth f = two_balls(&balls);
	AbutShape *shape = NULL;
	AbutError error = {0};
	cr_assert_eq(abut_shape_create_smooth(&f, NULL, &shape, &error), ABUT_ERROR_NUMERICAL);
	cr_assert(strstr(error.message, "give the mass"), "%s", error.message);
	f = two_balls(&round);
	cr_assert_eq(abut_shape_create_smooth(&f, NULL, &shape, &error), ABUT_OK, "%s", error.message);
	AbutShape *capsule = NULL;
	cr_assert_eq(abut_shape_create_capsule(0.4, 0.4, &capsule, NULL), ABUT_OK);
	cr_assert_leq(shape->mass_error, ABUT_SMOOTH_MASS_ERROR);
	cr_assert_float_eq(shape->mass.volume, capsule->mass.volume, 1e-6 * capsule->mass.volume, "%.12g, %.12g",
	                   shape->mass.volume, capsule->mass.volume);
	abut_shape_destroy(shape);
	abut_shape_destroy(capsule);
}

/* --- lies --- */

typedef enum Lie {
	TRUTH,
	LIE_GRADIENT,
	LIE_HESSIAN,
	LIE_NAN,
	LIE_NAN_FAR,
	LIE_CONCAVE,
	LIE_UNBOUNDED,
	LIE_EMPTY,
	LIE_CENTRE,
	LIE_RADIUS,
	LIE_SCALING,
	LIE_LENGTH,
	LIES
} Lie;

/* A ball of radius 0.5 as |p|^2 + 0.25 alpha^2 <= ..., modified by the wrong term. */
static double lie_size(const double *u, double n[4])
{
	double square = 0.0;
	for (int i = 0; i < 4; i++) {
		n[i] = i == 3 ? 0.5 * u[3] : u[i];
		square += n[i] * n[i];
	}
	return sqrt(square);
}

static void lie_value(const void *data, const double *u, double *g)
{
	const Lie lie = *(const Lie *)data;
	double n[4];
	const double size = lie_size(u, n), c = sqrt(2.0) * 0.5;
	g[0] = size - c * u[3];
	if (lie == LIE_NAN || (lie == LIE_NAN_FAR && u[0] > 0.8)) {
		g[0] = (double)NAN;
	} else if (lie == LIE_CONCAVE) {
		g[0] -= 0.5 * u[0] * u[0];
	} else if (lie == LIE_UNBOUNDED) {
		g[0] = hypot(u[0], u[1]) - 0.5 * u[3];
	} else if (lie == LIE_EMPTY) {
		g[0] += 0.6 * u[3];
	} else if (lie == LIE_CENTRE) {
		n[0] -= 0.6 * u[3];
		g[0] = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3]) - c * u[3];
	} else if (lie == LIE_SCALING) {
		g[0] = size - c * u[3] + 0.05 * (u[3] - 1.0);
	} else if (lie == LIE_LENGTH) {
		g[0] *= 1e4;
	}
}

/* Computes the gradient of all but two wrong functions by differences of the value: an error of 1e-9. */
static void lie_gradient(const void *data, const double *u, double *G)
{
	const Lie lie = *(const Lie *)data;
	for (int j = 0; j < 4; j++) {
		double moved[4], high, low;
		memcpy(moved, u, sizeof moved);
		moved[j] = u[j] + 1e-4;
		lie_value(data, moved, &high);
		moved[j] = u[j] - 1e-4;
		lie_value(data, moved, &low);
		G[j] = (high - low) / 2e-4;
	}
	if (lie == LIE_GRADIENT) {
		G[1] *= 1.01;
	}
}

static void lie_hessian(const void *data, const double *u, const double *weight, double *H)
{
	const Lie lie = *(const Lie *)data;
	for (int j = 0; j < 4; j++) {
		double moved[4], high[4], low[4];
		memcpy(moved, u, sizeof moved);
		moved[j] = u[j] + 1e-4;
		lie_gradient(data, moved, high);
		moved[j] = u[j] - 1e-4;
		lie_gradient(data, moved, low);
		for (int i = 0; i < 4; i++) {
			H[4 * i + j] = weight[0] * (high[i] - low[i]) / 2e-4;
		}
	}
	if (lie == LIE_HESSIAN) {
		H[0] += 0.1 * weight[0];
	}
}

static AbutSmooth lying(Lie *lie)
{
	return (AbutSmooth){.n_rows = 1,
	                    .value = lie_value,
	                    .gradient = lie_gradient,
	                    .hessian = lie_hessian,
	                    .data = lie,
	                    .bounding_radius = *lie == LIE_RADIUS ? 0.4 : 0.6};
}

Test(smooth, lies_are_named)
{
	static const AbutShapeTest expected[LIES] = {
	    [TRUTH] = ABUT_SHAPE_TEST_COUNT,           [LIE_GRADIENT] = ABUT_SHAPE_TEST_GRADIENT,
	    [LIE_HESSIAN] = ABUT_SHAPE_TEST_HESSIAN,   [LIE_NAN] = ABUT_SHAPE_TEST_FINITE,
	    [LIE_NAN_FAR] = ABUT_SHAPE_TEST_FINITE,    [LIE_CONCAVE] = ABUT_SHAPE_TEST_CONVEX,
	    [LIE_UNBOUNDED] = ABUT_SHAPE_TEST_BOUNDED, [LIE_EMPTY] = ABUT_SHAPE_TEST_BOUNDED,
	    [LIE_CENTRE] = ABUT_SHAPE_TEST_INTERIOR,   [LIE_RADIUS] = ABUT_SHAPE_TEST_BOUNDED,
	    [LIE_SCALING] = ABUT_SHAPE_TEST_SCALING,   [LIE_LENGTH] = ABUT_SHAPE_TEST_LENGTHS};
	for (Lie lie = TRUTH; lie < LIES; lie++) {
		AbutShapeReport report;
		AbutSmooth f = lying(&lie);
		if (lie == LIE_CENTRE) {
			f.bounding_radius = 2.0;
		}
		cr_assert_eq(abut_shape_check_functions(&f, &report), ABUT_OK);
		cr_expect_eq(report.failed, expected[lie], "lie %d: %s", lie,
		             report.passed ? "passed" : report.message);
		cr_expect_eq(report.passed, lie == TRUTH, "lie %d", lie);
	}
}

/* The constructor refuses the wrong functions that it detects, and makes no shape. */
Test(smooth, constructor_refuses_what_it_sees)
{
	static const Lie seen[] = {LIE_NAN, LIE_UNBOUNDED, LIE_EMPTY, LIE_RADIUS};
	const AbutMassProperties mass = {.volume = 0.5, .inertia = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}};
	for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
		Lie lie = seen[i];
		const AbutSmooth f = lying(&lie);
		AbutShape *shape = NULL;
		AbutError error = {0};
		cr_expect_eq(abut_shape_create_smooth(&f, &mass, &shape, &error), ABUT_ERROR_ARGUMENT, "lie %d", lie);
		cr_expect_null(shape);
		cr_expect(strlen(error.message) > 20, "lie %d: %s", lie, error.message);
	}
	Lie truth = TRUTH;
	AbutSmooth f = lying(&truth);
	AbutShape *shape = NULL;
	const AbutMassProperties none = {.volume = -1.0};
	cr_expect_eq(abut_shape_create_smooth(&f, &none, &shape, NULL), ABUT_ERROR_ARGUMENT);
	f.n_rows = 0;
	cr_expect_eq(abut_shape_create_smooth(&f, &mass, &shape, NULL), ABUT_ERROR_ARGUMENT);
	f = lying(&truth);
	f.n_eps = ABUT_SMOOTH_EPS_MAX + 1;
	cr_expect_eq(abut_shape_create_smooth(&f, &mass, &shape, NULL), ABUT_ERROR_ARGUMENT);
	f = lying(&truth);
	f.bounding_radius = (double)NAN;
	cr_expect_eq(abut_shape_create_smooth(&f, &mass, &shape, NULL), ABUT_ERROR_ARGUMENT);
	f = lying(&truth);
	f.destroy = count_destroy;
	cr_expect_eq(abut_shape_create_smooth(&f, &mass, &shape, NULL), ABUT_ERROR_ARGUMENT);
	f = lying(&truth);
	f.hessian = NULL;
	cr_expect_eq(abut_shape_create_smooth(&f, &mass, &shape, NULL), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_shape_create_smooth(NULL, &mass, &shape, NULL), ABUT_ERROR_ARGUMENT);
	cr_expect_null(shape);
}

Test(smooth, exponents_out_of_range_are_refused)
{
	const double r[3] = {1.0, 1.0, 1.0};
	const double bad[][2] = {{1.9, 2.0}, {2.0, 21.0}, {(double)NAN, 2.0}, {2.0, (double)INFINITY}};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		AbutShape *shape = NULL;
		AbutError error = {0};
		cr_expect_eq(abut_shape_create_superellipsoid(r, bad[i], &shape, &error), ABUT_ERROR_ARGUMENT);
		cr_expect_null(shape);
		cr_expect(strstr(error.message, "between 2 and 20"), "%s", error.message);
	}
}

/* Every kind of the library passes its own tests, wherever it was moved, at any size. */
Test(smooth, shapes_of_every_kind_pass)
{
	for (unsigned seed = 0; seed < TEST_EFFORT(10) * ABUT_SHAPE_COUNT; seed++) {
		AbutRng rng = {seed};
		AbutShapeReport report;
		const double size = pow(10.0, abut_rng_uniform(&rng, -3.0, 3.0));
		AbutShape *shape = sample_shape((AbutShapeKind)(seed % ABUT_SHAPE_COUNT), size, &rng);
		sample_move(shape, size, &rng);
		cr_assert_eq(abut_shape_check(shape, &report), ABUT_OK);
		cr_expect(report.passed, "%s, seed %u: %s", abut_shape_kind_name(shape->kind), seed, report.message);
		abut_shape_destroy(shape);
	}
}

/* Conic data that does not match its kind, or has a wrong mass. */
Test(smooth, spoilt_conic_data_is_named)
{
	static const double half[3] = {0.5, 0.4, 0.3};
	AbutShapeReport report;
	AbutShape *box = NULL;
	cr_assert_eq(abut_shape_create_box(half, &box, NULL), ABUT_OK);
	double *A = abut_shape_edit(box->A), *d = abut_shape_edit(box->d), *h = abut_shape_edit(box->h);
	d[2] *= 1.1;
	abut_shape_check(box, &report);
	cr_expect_eq(report.failed, ABUT_SHAPE_TEST_ROWS, "%s", report.message);
	d[2] /= 1.1;
	h[0] += 0.1;
	d[0] -= 0.1; /* the same set at alpha 1, scaled about another point */
	abut_shape_check(box, &report);
	cr_expect_eq(report.failed, ABUT_SHAPE_TEST_SCALING, "%s", report.message);
	h[0] -= 0.1;
	d[0] += 0.1;
	A[1] = (double)NAN;
	abut_shape_check(box, &report);
	cr_expect_eq(report.failed, ABUT_SHAPE_TEST_FINITE, "%s", report.message);
	A[1] = 0.0;
	box->mass.volume *= 100.0;
	abut_shape_check(box, &report);
	cr_expect_eq(report.failed, ABUT_SHAPE_TEST_MASS, "%s", report.message);
	box->mass.volume /= 100.0;
	box->outer_radius *= 0.5;
	abut_shape_check(box, &report);
	cr_expect_eq(report.failed, ABUT_SHAPE_TEST_BOUNDED, "%s", report.message);
	abut_shape_destroy(box);
}
