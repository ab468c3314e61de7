/* Tests the limit of differences for functions with known derivatives, with and without corners. */
#include <criterion/criterion.h>
#include <math.h>

#include "experiments/reference/difference_limit.h"

enum { SIZES = ABUT_DIFFERENCE_SIZES };

static const double corner_at = 3e-6, huge = 1e300;

static double exponential(double x)
{
	return exp(x);
}

static double wave(double x)
{
	return sin(50.0 * x + 0.3);
}

static double bend(double x)
{
	return fabs(x) + 2.0 * x;
}

/* Slope 1 up to the corner and at 0, slope 5 beyond. */
static double corner_beside(double x)
{
	return x < corner_at ? x : 5.0 * x - 4.0 * corner_at;
}

/* Zero up to the corners on both sides, straight beyond them. Most sizes see the slope 1. */
static double play(double x)
{
	return fabs(x) <= 1e-6 ? 0.0 : x;
}

/* Returns t with t + C |t|^(1/2) = x, as for a body on a flat point: slope 0 at 0, and nearly 1 beyond C^2. */
static double held(double x, double C)
{
	const double root = 2.0 * fabs(x) / (C + sqrt(C * C + 4.0 * fabs(x)));
	return copysign(root * root, x);
}

static double held_up_to_1e_4(double x)
{
	return held(x, 1e-2);
}

static double held_up_to_1e_8(double x)
{
	return held(x, 1e-4);
}

static double flat(double x)
{
	return 0.0 * x;
}

/* Does not exist for large steps. */
static double nearby(double x)
{
	return fabs(x) > 1e-4 ? (double)NAN : 1.0 / (1.0 - x);
}

/* Has errors of 1e-8, whatever the step. */
static double rough(double x)
{
	return sin(50.0 * x) + 1e-8 * sin(1e13 * x);
}

static double nowhere(double x)
{
	return x > 0.0 ? (double)NAN : x;
}

static void limit_of(double (*f)(double), double h, double noise, double *value, double *error)
{
	double ahead[SIZES], back[SIZES], off[SIZES];
	double size = h;
	for (int k = 0; k < SIZES; k++, size /= ABUT_DIFFERENCE_RATIO) {
		ahead[k] = f(size) - f(0.0);
		back[k] = f(-size) - f(0.0);
		off[k] = noise;
	}
	abut_difference_limit(h, ahead, back, off, value, error);
}

static void expect_limit(double (*f)(double), double slope, double bound)
{
	double value, error;
	limit_of(f, 1e-2, 0.0, &value, &error);
	cr_expect_leq(error, bound);
	cr_expect_leq(fabs(value - slope), error + 1e-15, "%g instead of %g, error %g", value, slope, error);
}

/* The reported error is small, and bounds that of the value. */
Test(difference_limit, of_smooth_functions)
{
	expect_limit(exponential, 1.0, 1e-9);
	expect_limit(wave, 50.0 * cos(0.3), 1e-7);
	expect_limit(flat, 0.0, 0.0);
	expect_limit(nearby, 1.0, 1e-8);
}

/* Large steps see the corner, small ones do not. */
Test(difference_limit, of_a_corner_beside)
{
	expect_limit(corner_beside, 1.0, 1e-9);
}

/* The large sizes agree to the last digit, but on a slope that f does not have at 0. */
Test(difference_limit, believes_small_steps_before_large_ones)
{
	double value, error;
	limit_of(play, 1e-2, 1e-12, &value, &error);
	cr_expect(fabs(value) <= error, "%g, error %g", value, error);
}

/* The slope is 0, which no size sees, or only the last ones. The error reports that the value is useless. */
Test(difference_limit, believes_sizes_that_lead_away)
{
	double (*const functions[2])(double) = {held_up_to_1e_4, held_up_to_1e_8};
	for (int i = 0; i < 2; i++) {
		double value, error;
		limit_of(functions[i], 1e-2, 1e-15, &value, &error);
		cr_expect(fabs(value) <= 2.0 * error, "%d: %g, error %g", i, value, error);
	}
}

/* Central differences agree on 2, the mean of 1 and 3. */
Test(difference_limit, tells_a_corner)
{
	double value, error;
	limit_of(bend, 1e-2, 0.0, &value, &error);
	cr_expect_float_eq(value, 2.0, 1e-9);
	cr_expect_geq(error, 1.99);
}

Test(difference_limit, counts_noise)
{
	double value, error;
	limit_of(exponential, 1e-2, 1e-9, &value, &error);
	cr_expect(error > 1e-8 && error < 1e-5, "%g", error);
}

/* All sizes contain the errors. The reported error bounds that of the value, with few exceptions. */
Test(difference_limit, sees_roughness)
{
	int beyond = 0;
	for (int i = 0; i < 1000; i++) {
		double value, error;
		limit_of(rough, 1e-2 * (1.0 + 1e-3 * i), 0.0, &value, &error);
		beyond += fabs(value - 50.0) > 3.0 * error;
		cr_expect_leq(error, 1e-2, "%d: %g", i, error);
	}
	cr_expect_leq(beyond, 30, "%d of 1000", beyond);
}

Test(difference_limit, knows_when_it_knows_nothing)
{
	double value, error;
	limit_of(nowhere, 1e-2, 0.0, &value, &error);
	cr_expect_gt(error, huge);
	cr_expect(isnan(value));
}
