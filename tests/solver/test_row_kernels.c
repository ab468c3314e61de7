/* Compares the kernels over rows with loops in long double, for every length up to a few chunks with every remainder.
 * Also tests them through the cones that use them. */
#include <criterion/criterion.h>

#include "sample_cones.h"
#include "solver/cones/row_kernels.h"

enum { SEEDS = 20, N_MAX = 67 };

typedef struct Rows {
	int n;
	double z[N_MAX], s[N_MAX], H[N_MAX], dz[N_MAX], ds[N_MAX];
} Rows;

/* Draws positive z and s, of sizes from 1e-6 on. */
static Rows sample_rows(int n, AbutRng *rng)
{
	Rows rows = {.n = n};
	for (int i = 0; i < n; i++) {
		sample_scalar_pair(1e-6, rng, &rows.z[i], &rows.s[i]);
		rows.H[i] = rows.s[i] + abut_rng_normal(rng);
		rows.dz[i] = abut_rng_normal(rng) * (abut_rng_uniform(rng, 0.0, 1.0) < 0.2 ? 10.0 * rows.z[i] : 1e-7);
		rows.ds[i] = abut_rng_normal(rng);
	}
	return rows;
}

typedef void Check(Rows *rows, AbutRng *rng, unsigned seed);

static void for_all_lengths(Check *check)
{
	for (int n = 0; n <= N_MAX; n++) {
		for (unsigned seed = 0; seed < SEEDS; seed++) {
			AbutRng rng = {seed};
			Rows rows = sample_rows(n, &rng);
			check(&rows, &rng, seed);
		}
	}
}

static void check_distance(Rows *rows, AbutRng *rng, unsigned seed)
{
	double worst = 0.0;
	for (int i = 0; i < rows->n; i++) {
		worst = fmax(worst, fabs(rows->s[i] - rows->H[i]));
	}
	cr_assert_eq(abut_rows_distance(rows->n, rows->s, rows->H), worst, "n %d, seed %u", rows->n, seed);
	if (rows->n == 0) {
		return;
	}
	const int at = (int)(abut_rng_uniform(rng, 0.0, 1.0) * rows->n);
	rows->H[at] = seed % 2 ? (double)NAN : (double)INFINITY;
	cr_assert(isnan(abut_rows_distance(rows->n, rows->s, rows->H)), "n %d, row %d, seed %u", rows->n, at, seed);
}

Test(row_kernels, distance_is_the_largest_difference_and_nan_where_one_is_not_finite)
{
	for_all_lengths(check_distance);
}

static void check_product(Rows *rows, AbutRng *rng, unsigned seed)
{
	const double step = abut_rng_uniform(rng, 0.0, 1.0);
	long double sum = 0.0L, size = 0.0L;
	for (int i = 0; i < rows->n; i++) {
		const long double term = ((long double)rows->z[i] + (long double)step * (long double)rows->dz[i]) *
		                         ((long double)rows->s[i] + (long double)step * (long double)rows->ds[i]);
		sum += term;
		size += (fabsl((long double)rows->z[i]) + fabsl((long double)rows->dz[i])) *
		        (fabsl((long double)rows->s[i]) + fabsl((long double)rows->ds[i]));
	}
	const double product = abut_rows_product(rows->n, step, rows->z, rows->dz, rows->s, rows->ds);
	/* three roundings of a term and at most sixteen of a sum in lanes */
	cr_assert_float_eq(product, (double)sum, 20.0 * 1.2e-16 * (double)size, "n %d, seed %u", rows->n, seed);
}

Test(row_kernels, product_is_that_of_the_rows_after_the_step)
{
	for_all_lengths(check_product);
}

static void check_moves(Rows *rows, AbutRng *rng, unsigned seed)
{
	const Rows old = *rows;
	const double step = abut_rng_uniform(rng, 0.0, 1.0);
	double direction[N_MAX + 1];
	direction[rows->n] = 7.0;
	abut_rows_slack_direction(rows->n, rows->s, rows->H, rows->dz, direction);
	abut_rows_advance(rows->n, step, rows->dz, rows->ds, rows->z, rows->s);
	for (int i = 0; i < N_MAX; i++) {
		const double by = i < rows->n ? step : 0.0;
		cr_assert_eq(rows->z[i], old.z[i] + by * old.dz[i], "n %d, row %d, seed %u", rows->n, i, seed);
		cr_assert_eq(rows->s[i], old.s[i] + by * old.ds[i], "n %d, row %d, seed %u", rows->n, i, seed);
		if (i < rows->n) {
			cr_assert_eq(direction[i], old.dz[i] - (old.s[i] - old.H[i]), "n %d, row %d, seed %u", rows->n,
			             i, seed);
		}
	}
	cr_assert_eq(direction[rows->n], 7.0);
}

Test(row_kernels, rows_move_as_far_as_they_should_and_no_others_do)
{
	for_all_lengths(check_moves);
}

/* A step is the smallest of the rows' own steps, z_i + step dz_i = 0, whether it is long or short. */
static void check_step(Rows *rows, AbutRng *rng, unsigned seed)
{
	const AbutCone cone = {.kind = ABUT_CONE_ORTHANT, .dim = rows->n, .weight = 1.0};
	const double limit = abut_rng_uniform(rng, 0.05, 2.0);
	long double least = (long double)limit;
	for (int i = 0; i < rows->n; i++) {
		if (rows->dz[i] < 0.0) {
			least = fminl(least, -(long double)rows->z[i] / (long double)rows->dz[i]);
		}
	}
	const double step = abut_cones_step(&cone, 1, rows->z, rows->dz, limit);
	/* a row within rounding of the boundary is as good as on it */
	cr_assert_float_eq(step, (double)least, 1e-15 * limit, "n %d, seed %u: %.17g, %.17Lg", rows->n, seed, step,
	                   least);
	cr_assert_eq(abut_orthant_step(rows->n, rows->z, rows->dz, limit), step, "n %d, seed %u", rows->n, seed);
}

Test(row_kernels, step_is_the_least_of_the_rows)
{
	for_all_lengths(check_step);
}

/* Only one of many rows limits the step, in every position. */
Test(row_kernels, step_sees_every_row)
{
	for (int n = 1; n <= N_MAX; n++) {
		double z[N_MAX], dz[N_MAX];
		for (int at = 0; at < n; at++) {
			for (int i = 0; i < n; i++) {
				z[i] = 1.0;
				dz[i] = i == at ? -4.0 : 1.0;
			}
			cr_assert_eq(abut_orthant_step(n, z, dz, 1.0), 0.25, "n %d, row %d", n, at);
		}
	}
}

static void check_largest(Rows *rows, AbutRng *rng, unsigned seed)
{
	(void)rng;
	const AbutCone cone = {.kind = ABUT_CONE_ORTHANT, .dim = rows->n, .weight = 1.0};
	const double kappa = 1e-6;
	double largest = kappa;
	for (int i = 0; i < rows->n; i++) {
		largest = fmax(largest, rows->z[i] * rows->s[i]);
	}
	cr_assert_eq(abut_cones_complementarity(&cone, 1, rows->z, rows->s, kappa), largest - kappa, "n %d, seed %u",
	             rows->n, seed);
	cr_assert_eq(abut_orthant_largest_product(rows->n, rows->z, rows->s, kappa), largest, "n %d, seed %u", rows->n,
	             seed);
}

Test(row_kernels, largest_product)
{
	for_all_lengths(check_largest);
}

/* The law of a long orthant equals, bit for bit, that of its rows one by one. */
static void check_law(Rows *rows, AbutRng *rng, unsigned seed)
{
	(void)rng;
	double c[2][N_MAX], K[N_MAX], row_c[2], row_K;
	const AbutCone cone = {.kind = ABUT_CONE_ORTHANT, .dim = rows->n, .weight = 1.0};
	const AbutCone one = {.kind = ABUT_CONE_ORTHANT, .dim = 1, .weight = 1.0};
	AbutConeLaw law = {.c = {c[0], c[1]}, .K = K}, row_law = {.c = {&row_c[0], &row_c[1]}, .K = &row_K};
	abut_cones_law_path(&cone, 1, rows->z, rows->s, rows->H, 1e-6, &law);
	for (int i = 0; i < rows->n; i++) {
		abut_cones_law_path(&one, 1, &rows->z[i], &rows->s[i], &rows->H[i], 1e-6, &row_law);
		cr_assert(c[0][i] == row_c[0] && c[1][i] == row_c[1] && K[i] == row_K, "n %d, row %d, seed %u", rows->n,
		          i, seed);
	}
}

Test(row_kernels, law_of_the_path_row_by_row)
{
	for_all_lengths(check_law);
}
