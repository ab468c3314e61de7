/* Compares the kernels for polytopes of many faces with sums over their rows in long double. */
#include <criterion/criterion.h>
#include <math.h>

#include "collision/rows/conic_rows.h"
#include "collision/rows/many_faces.h"
#include "collision/rows/shape_kernel.h"
#include "sample_shapes.h"
#include "solver/sample_cones.h"

enum { SEEDS = 60, POINTS_MAX = 40, ROWS_MAX = 2 * POINTS_MAX };

typedef struct Case {
	AbutConicRows rows;
	AbutCone cone;
	double lambda[ROWS_MAX], c[2][ROWS_MAX], K[ROWS_MAX];
	AbutConeLaw law;
} Case;

/* Makes the hull of 10 to 40 points of the unit sphere. Each is a vertex, so that there are up to 76 faces. The law has
 * entries of any size, as near the end of the path. */
static void make_case(AbutRng *rng, bool as_given, Case *out)
{
	const int n_points = 10 + (int)abut_rng_uniform(rng, 0.0, POINTS_MAX - 10 + 0.99);
	const double origin[3] = {0.1, -0.2, 0.3};
	double points[3 * POINTS_MAX];
	AbutShape *shape = NULL;
	for (int i = 0; i < n_points; i++) {
		sample_unit(3, rng, &points[3 * i]);
	}
	*out = (Case){0};
	cr_assert_eq(abut_shape_create_polytope_from_vertices(n_points, points, &shape, NULL), ABUT_OK);
	cr_assert_eq(abut_conic_rows_create(shape, origin, 1.3, &out->rows), ABUT_OK);
	if (as_given) {
		abut_conic_rows_as_given(shape, origin, &out->rows);
	}
	abut_shape_destroy(shape);
	cr_assert_leq(out->rows.n_rows, ROWS_MAX);
	cr_assert_not_null(out->rows.columns, "%d faces", out->rows.n_rows);
	out->cone = (AbutCone){.kind = ABUT_CONE_ORTHANT, .dim = out->rows.n_rows, .weight = 0.1};
	out->law = (AbutConeLaw){.c = {out->c[0], out->c[1]}, .K = out->K};
	for (int i = 0; i < out->rows.n_rows; i++) {
		out->lambda[i] = sample_log_uniform(rng, 1e-6, 1.0);
		out->K[i] = sample_log_uniform(rng, 1e-6, 1e6);
		out->c[0][i] = abut_rng_normal(rng);
		out->c[1][i] = sample_log_uniform(rng, 1.0, 1e6);
	}
}

typedef void Check(const Case *c, AbutRng *rng, unsigned seed);

static void for_all_cases(Check *check)
{
	for (unsigned seed = 0; seed < SEEDS; seed++) {
		AbutRng rng = {seed};
		Case c;
		make_case(&rng, seed % 3 == 0, &c);
		check(&c, &rng, seed);
		abut_conic_rows_destroy(&c.rows);
	}
}

/* Checks a sum over the faces of `factor` times a column, or times the product of two, to the rounding of at most 20
 * operations. */
static void check_sum(const Case *c, const double *factor, int a, int b, double value, const char *what, unsigned seed)
{
	long double sum = 0.0L, size = 0.0L;
	for (int i = 0; i < c->rows.n_rows; i++) {
		const double *row = &c->rows.W[4 * i];
		const long double term =
		    (long double)factor[i] * (long double)row[a] * (b < 0 ? 1.0L : (long double)row[b]);
		sum += term;
		size += fabsl(term);
	}
	cr_assert_float_eq(value, (double)sum, 20.0 * 1.2e-16 * (double)size, "%s, columns %d and %d, seed %u: %g, %Lg",
	                   what, a, b, seed, value, sum);
}

static void check_values(const Case *c, AbutRng *rng, unsigned seed)
{
	const double p[3] = {abut_rng_normal(rng), abut_rng_normal(rng), abut_rng_normal(rng)};
	const double alpha = abut_rng_uniform(rng, 0.0, 2.0), shift = seed % 2 ? 0.1 : 0.0;
	double H[ROWS_MAX], g[3], d_lambda;
	const AbutRowsPoint point = {{p[0], p[1], p[2]}, alpha, NULL, c->lambda, shift};
	abut_conic_rows_evaluate(&c->rows, &point, H, g, &d_lambda, NULL);
	for (int i = 0; i < c->rows.n_rows; i++) {
		const double *row = &c->rows.W[4 * i];
		const double value = c->rows.h[i] + shift + abut_dot3(row, p) + row[3] * alpha;
		cr_assert_float_eq(H[i], value, 1e-14, "row %d, seed %u", i, seed);
	}
	for (int a = 0; a < 3; a++) {
		check_sum(c, c->lambda, a, -1, -g[a], "g", seed);
	}
	check_sum(c, c->lambda, 3, -1, d_lambda, "d' lambda", seed);
}

Test(many_faces, values_are_those_of_the_rows)
{
	for_all_cases(check_values);
}

static void check_stiffness(const Case *c, AbutRng *rng, unsigned seed)
{
	(void)rng;
	AbutShapeStiffness out;
	cr_assert(abut_conic_rows_condense(&c->rows, &c->cone, &c->law, NULL, NULL, &out, NULL));
	for (int a = 0; a < 4; a++) {
		for (int b = 0; b < 4; b++) {
			check_sum(c, c->K, a, b, out.Q[4 * a + b], "Q", seed);
		}
		check_sum(c, c->c[0], a, -1, out.k[0][a], "k[0]", seed);
		check_sum(c, c->c[1], a, -1, out.k[1][a], "k[1]", seed);
	}
}

Test(many_faces, stiffness_is_the_sum_over_the_rows)
{
	for_all_cases(check_stiffness);
}

static void check_recovery(const Case *c, AbutRng *rng, unsigned seed)
{
	const double d_point[4] = {abut_rng_normal(rng), abut_rng_normal(rng), abut_rng_normal(rng),
	                           abut_rng_normal(rng)};
	const double weight = abut_rng_uniform(rng, 0.0, 1.0);
	double d_lambda[ROWS_MAX], dH[ROWS_MAX];
	const AbutRowsStep step = {d_point, NULL, d_lambda, dH};
	abut_conic_rows_recover(&c->rows, &c->cone, &c->law, weight, NULL, &step);
	for (int i = 0; i < c->rows.n_rows; i++) {
		const double *row = &c->rows.W[4 * i];
		const double change = abut_dot3(row, d_point) + row[3] * d_point[3];
		const double by_law = c->c[0][i] + weight * c->c[1][i] - c->K[i] * dH[i];
		cr_assert_float_eq(dH[i], change, 1e-14, "row %d, seed %u", i, seed);
		cr_assert_float_eq(d_lambda[i], by_law, 1e-15 * (1.0 + c->c[1][i] + fabs(c->K[i] * dH[i])),
		                   "row %d, seed %u", i, seed);
	}
}

Test(many_faces, recovery_follows_the_law)
{
	for_all_cases(check_recovery);
}

/* A box, a polytope of few faces and one with an auxiliary variable keep their rows. */
Test(many_faces, others_have_no_columns)
{
	static const AbutShapeKind kinds[] = {ABUT_SHAPE_BOX, ABUT_SHAPE_PADDED_POLYTOPE, ABUT_SHAPE_INTERSECTION};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		AbutRng rng = {i};
		AbutConicRows rows;
		AbutShape *shape = sample_shape(kinds[i], 1.0, &rng);
		cr_assert_eq(abut_conic_rows_create(shape, (const double[3]){0, 0, 0}, 1.0, &rows), ABUT_OK);
		cr_assert_null(rows.columns, "%s", abut_shape_kind_name(kinds[i]));
		abut_conic_rows_destroy(&rows);
		abut_shape_destroy(shape);
	}
}
