/* Tests shapes by the user's own rows: redundant auxiliary variables, units, thin sets, and programs that do not
 * converge. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "abut/shape_check.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "sample.h"
#include "shapes/composed/boost.h"
#include "shapes/composed/columns.h"
#include "shapes/composed/extent.h"
#include "shapes/core/conic.h"
#include "shapes/query/conic_query.h"
#include "singular_values.h"

enum { ROWS = 12, COLUMNS = 6 };

/* Returns the rank by singular values. Both matrices have ROWS rows, row-major. */
static int rank_of_both(const double *B, int n, const double *C, int m)
{
	double M[ROWS * 2 * COLUMNS], values[2 * COLUMNS];
	for (int i = 0; i < ROWS; i++) {
		for (int j = 0; j < n + m; j++) {
			M[j * ROWS + i] = j < n ? B[i * n + j] : C[i * m + j - n];
		}
	}
	singular_values(ROWS, n + m, M, values);
	int rank = 0;
	for (int i = 0; i < n + m; i++) {
		rank += values[i] > 1e-9 * values[0];
	}
	return rank;
}

/* Columns are sums of a few random ones, with zeros and multiples. As many remain as there were at first, and they span
 * the same space. */
Test(conic_data, columns_span_the_same)
{
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		const int rank = 1 + (int)(seed % 4);
		double base[ROWS * COLUMNS], B[ROWS * COLUMNS], given[ROWS * COLUMNS], mix[COLUMNS * COLUMNS];
		for (int i = 0; i < ROWS * rank; i++) {
			base[i] = abut_rng_normal(&rng);
		}
		for (int i = 0; i < COLUMNS * COLUMNS; i++) {
			mix[i] = pow(10.0, abut_rng_uniform(&rng, -3.0, 3.0)) * abut_rng_normal(&rng);
		}
		for (int i = 0; i < ROWS; i++) {
			for (int j = 0; j < COLUMNS; j++) {
				B[i * COLUMNS + j] = 0.0;
				for (int k = 0; k < rank && j > 0; k++) {
					B[i * COLUMNS + j] += base[i * rank + k] * mix[k * COLUMNS + j];
				}
			}
		}
		memcpy(given, B, sizeof given);
		cr_assert_eq(abut_columns_reduce(ROWS, COLUMNS, B), rank, "seed %u", seed);
		cr_assert_eq(rank_of_both(B, rank, base, rank), rank, "seed %u", seed);
		for (int j = 0; j < rank; j++) {
			double largest = 0.0;
			for (int i = 0; i < ROWS; i++) {
				largest = fmax(largest, fabs(B[i * rank + j]));
			}
			cr_assert_float_eq(largest, 1.0, 1e-12, "seed %u, column %d", seed, j);
		}
	}
}

/* Makes the capsule of radius 0.3 about |eps| <= 0.5, with eps a sum of the columns' variables. */
static AbutShape *capsule_by(int n_eps, const double *of_eps, AbutError *error)
{
	static const int soc[1] = {4};
	static const double A[18] = {0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1};
	static const double d[6] = {0.5, 0.5, 0.3, 0, 0, 0}, h[6] = {0.0};
	double B[6 * COLUMNS] = {0.0};
	for (int j = 0; j < n_eps; j++) {
		B[j] = of_eps[j];
		B[n_eps + j] = -of_eps[j];
		B[5 * n_eps + j] = of_eps[j];
	}
	const AbutConicData data = {6, n_eps, 2, 1, soc, A, B, d, h};
	AbutShape *shape = NULL;
	abut_shape_create_conic(&data, &shape, error);
	return shape;
}

/* Variables that are unused, duplicate, or measured in micrometres give the same capsule with one variable. */
Test(conic_data, idle_variables_are_taken_out)
{
	static const struct {
		int n;
		double of_eps[3];
	} cases[] = {{3, {1e6, 0.0, -0.7e6}}, {1, {1e-6}}};
	AbutShape *capsule = NULL;
	cr_assert_eq(abut_shape_create_capsule(0.3, 1.0, &capsule, NULL), ABUT_OK);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		AbutError error = {0};
		AbutShapeReport report;
		AbutShape *shape = capsule_by(cases[i].n, cases[i].of_eps, &error);
		cr_assert_not_null(shape, "case %d: %s", (int)i, error.message);
		cr_expect_eq(shape->n_eps, 1, "case %d: %d", (int)i, shape->n_eps);
		for (unsigned seed = 0; seed < 50; seed++) {
			AbutRng rng = {seed};
			double u[3];
			sample_direction(&rng, u);
			cr_expect_float_eq(abut_shape_support(shape, u, NULL), abut_shape_support(capsule, u, NULL),
			                   1e-9, "case %d, seed %u", (int)i, seed);
		}
		abut_shape_check(shape, &report);
		cr_expect(report.passed, "case %d: %s", (int)i, report.message);
		abut_shape_destroy(shape);
	}
	abut_shape_destroy(capsule);
}

/* --- thin sets --- */

/* Makes the intersection of two balls: half radius `a`, half thickness `t`, rotated. */
static AbutShape *lens(double a, double t, const double R[9], AbutError *error)
{
	static const int soc[2] = {4, 4};
	const double r = (a * a + t * t) / (2.0 * t), c = r - t;
	double A[24] = {0.0}, d[8] = {r, 0, 0, 0, r, 0, 0, 0}, h[8] = {0.0};
	for (int i = 0; i < 3; i++) {
		d[1 + i] = -c * R[3 * i + 2];
		d[5 + i] = c * R[3 * i + 2];
		A[3 * (1 + i) + i] = A[3 * (5 + i) + i] = -1.0;
	}
	const AbutConicData data = {8, 0, 0, 2, soc, A, NULL, d, h};
	AbutShape *shape = NULL;
	abut_shape_create_conic(&data, &shape, error);
	return shape;
}

/* Volume, radii and support of the lens have closed forms, in any orientation. */
Test(conic_data, thin_lenses)
{
	static const double ratios[] = {1.5, 100.0, 1000.0, 3000.0};
	const double a = 0.5;
	for (unsigned seed = 0; seed < 4; seed++) {
		AbutRng rng = {seed};
		double q[4], R[9];
		abut_rng_rotation(&rng, q);
		abut_quat_to_mat3(q, R);
		const double t = a / ratios[seed], r = (a * a + t * t) / (2.0 * t);
		AbutError error = {0};
		AbutShapeReport report;
		AbutShape *shape = lens(a, t, R, &error);
		cr_assert_not_null(shape, "1:%g: %s", ratios[seed], error.message);
		const double volume = M_PI * t * (3.0 * a * a + t * t) / 3.0;
		cr_expect_float_eq(shape->mass.volume, volume, 1e-7 * volume, "1:%g", ratios[seed]);
		cr_expect_float_eq(shape->outer_radius, a, 1e-7 * a, "1:%g: %.12g", ratios[seed], shape->outer_radius);
		cr_expect(shape->inner_radius <= t * (1.0 + 1e-6) && shape->inner_radius > 0.9 * t, "1:%g: %g of %g",
		          ratios[seed], shape->inner_radius, t);
		for (int i = 0; i < 50; i++) {
			double u[3], own[3];
			sample_direction(&rng, u);
			abut_mat3_tvec(R, u, own);
			/* the rim, or the cap whose normal it is */
			const double across = hypot(own[0], own[1]);
			const double reach = across * r <= a ? r - (r - t) * fabs(own[2]) : a * across;
			cr_expect_float_eq(abut_shape_support(shape, u, NULL), reach, 1e-8, "1:%g", ratios[seed]);
		}
		const double pole[3] = {R[2], R[5], R[8]};
		cr_expect_float_eq(abut_shape_support(shape, pole, NULL), t, 1e-5 * t, "1:%g", ratios[seed]);
		abut_shape_check(shape, &report);
		cr_expect(report.passed, "1:%g: %s", ratios[seed], report.message);
		abut_shape_destroy(shape);
	}
}

/* The lens is thinner than the solver's steps. The error gives the ratio and the bound. */
Test(conic_data, too_thin_is_named)
{
	static const double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	AbutError error = {0};
	cr_assert_null(lens(0.5, 0.5 / 30000.0, R, &error));
	cr_assert_eq(error.status, ABUT_ERROR_ARGUMENT);
	cr_assert(strstr(error.message, "1:3.0") && strstr(error.message, "at most 1:3500"), "%s", error.message);
}

/* A point is in K by the rows before and after, or by neither, at every alpha. The middle comes to lie on the axis. */
Test(conic_data, boosts_keep_the_set)
{
	static const int soc[1] = {4};
	for (unsigned seed = 0; seed < 100; seed++) {
		AbutRng rng = {seed};
		AbutShape *shape = NULL, *before = NULL;
		double u[3];
		sample_direction(&rng, u);
		cr_assert_eq(abut_shape_allocate(ABUT_SHAPE_CONIC, 0, 1, soc, 0, 0, &shape, NULL), ABUT_OK);
		/* a ball of radius 100 whose surface is 0.5 from the origin */
		abut_shape_edit(shape->d)[0] = 100.0;
		for (int i = 0; i < 3; i++) {
			abut_shape_edit(shape->A)[3 * (1 + i) + i] = -1.0;
			abut_shape_edit(shape->d)[1 + i] = 99.5 * u[i];
		}
		cr_assert_eq(abut_shape_clone(shape, &before, NULL), ABUT_OK);
		abut_shape_boost(shape);
		cr_assert_lt(hypot(hypot(shape->d[1], shape->d[2]), shape->d[3]), 1e-10 * shape->d[0], "seed %u", seed);
		for (int i = 0; i < 50; i++) {
			const double alpha = abut_rng_uniform(&rng, 0.3, 2.0);
			double p[3], s[2][4], margin[2];
			for (int k = 0; k < 3; k++) {
				p[k] = abut_rng_normal(&rng);
			}
			for (int side = 0; side < 2; side++) {
				const AbutShape *of = side ? shape : before;
				for (int r = 0; r < 4; r++) {
					s[side][r] = alpha * of->d[r] - abut_dot3(&of->A[3 * r], p);
				}
				/* a boost conserves the square of the head minus that of the tail */
				margin[side] = s[side][0] * s[side][0] - abut_dot3(&s[side][1], &s[side][1]);
			}
			cr_assert_float_eq(margin[0], margin[1], 1e-9 * (1.0 + s[0][0] * s[0][0]), "seed %u: %g, %g",
			                   seed, margin[0], margin[1]);
			cr_assert(margin[0] < 1e-6 || (s[0][0] > 0.0) == (s[1][0] > 0.0), "seed %u", seed);
		}
		abut_shape_destroy(shape);
		abut_shape_destroy(before);
	}
}

/* Boxes from needles to sheets, rotated: their extents, up to a factor of two. */
Test(conic_data, extent_of_boxes)
{
	for (unsigned seed = 0; seed < 100; seed++) {
		AbutRng rng = {seed};
		AbutShape *box = NULL;
		AbutExtent extent;
		double half[3] = {1.0, pow(10.0, abut_rng_uniform(&rng, -4.0, 0.0)), 0.0};
		half[2] = half[1] * pow(10.0, abut_rng_uniform(&rng, -2.0, 0.0));
		cr_assert_eq(abut_shape_create_box(half, &box, NULL), ABUT_OK);
		sample_move(box, 1.0, &rng);
		cr_assert(abut_shape_extent(box, &extent), "seed %u", seed);
		double volume = 1.0;
		for (int i = 0; i < 3; i++) {
			double u[3] = {0.0, 0.0, 0.0}, w[3] = {0.0, 0.0, 0.0}, x[3], back[3];
			w[i] = 1.0;
			abut_extent_to_shape(&extent, w, x);
			abut_extent_from_shape(&extent, x, back);
			abut_extent_direction(&extent, w, u);
			cr_assert_float_eq(back[i], 1.0, 1e-12, "seed %u", seed);
			cr_assert_float_eq(abut_dot3(u, x), 1.0, 1e-12, "seed %u", seed);
			volume *= extent.half[i] / half[i];
		}
		cr_assert(volume >= 1.0 - 1e-9 && volume < 8.0, "seed %u: %g times the box", seed, volume);
		abut_shape_destroy(box);
	}
}

/* --- programs that do not end --- */

/* No point satisfies the rows any more. No furthest point is invented, and the shape fails its tests. */
Test(conic_data, no_point_where_the_program_does_not_end)
{
	AbutError error = {0};
	AbutShapeReport report;
	AbutShape *shape = capsule_by(1, (double[]){1.0}, &error);
	cr_assert_not_null(shape, "%s", error.message);
	abut_shape_edit(shape->d)[0] = -0.9;
	for (unsigned seed = 0; seed < 20; seed++) {
		AbutRng rng = {seed};
		double u[3], point[3];
		sample_direction(&rng, u);
		cr_assert(isnan(abut_shape_support(shape, u, point)), "seed %u", seed);
		cr_assert(isnan(point[0]) && isnan(point[1]) && isnan(point[2]), "seed %u", seed);
	}
	abut_shape_check(shape, &report);
	cr_assert(!report.passed);
	cr_assert_eq(report.failed, ABUT_SHAPE_TEST_BOUNDED, "%s", report.message);
	cr_assert_eq(report.unanswered[ABUT_SHAPE_TEST_ROWS], report.samples[ABUT_SHAPE_TEST_ROWS]);
	abut_shape_destroy(shape);
}
