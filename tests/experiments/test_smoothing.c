/* Tests the derivative of a pushed box: closed forms, the limit of the path, and estimates of randomised smoothing. */
#include <criterion/criterion.h>
#include <math.h>

#include "experiments/smoothing/randomised.h"

static AbutPush push_of(AbutPushKind kind)
{
	return (AbutPush){.kind = kind,
	                  .half = {0.3, 0.2, 0.2},
	                  .mass = 2.0,
	                  .timestep = 0.02,
	                  .friction = kind == ABUT_PUSH_TIP ? 3.0 : 0.4,
	                  .largest = 60.0};
}

static double slope_at(AbutPushedBox *box, double force, double *value)
{
	double slope = NAN;
	AbutError error = {0};
	cr_assert_eq(abut_pushed_box_differentiate(box, force, value, &slope, &error), ABUT_OK, "%s", error.message);
	return slope;
}

static void open_box(AbutPushedBox *box, AbutPushKind kind, double kappa)
{
	const AbutPush push = push_of(kind);
	AbutError error = {0};
	cr_assert_eq(abut_pushed_box_open(box, &push, kappa, &error), ABUT_OK, "%s", error.message);
}

/* A stiffness of 1e8 times its inertia holds a body that sticks or rests (dynamics/gradient/contact_stiffness.c): 0.01
 * leaves 1e-10 to 1e-9. */
static const double held = 2e-9;

/* Coulomb and Newton give v = max(0, f - mu m g) dt / m, and max(0, f - m g) dt / m. */
Test(smoothing, slip_and_lift_follow_newton)
{
	static const double begins[2] = {0.4 * 2.0 * 9.81, 2.0 * 9.81};
	for (int kind = 0; kind < 2; kind++) {
		AbutPushedBox box;
		open_box(&box, (AbutPushKind)kind, 0.0);
		cr_expect_float_eq(abut_push_threshold(&box.push), begins[kind], 1e-12);
		for (int i = 0; i < 40; i++) {
			double value, stepped;
			const double force = 1.0 + 1.4 * i, over = force - begins[kind];
			const double slope = slope_at(&box, force, &value);
			cr_assert_eq(abut_pushed_box_step(&box, force, &stepped), ABUT_OK);
			cr_expect_float_eq(slope, over > 0.0 ? 0.01 : 0.0, held, "%d, %g N: %g", kind, force, slope);
			cr_expect_float_eq(stepped, over > 0.0 ? 0.01 * over : 0.0, 1e-8, "%d, %g N", kind, force);
			cr_expect_float_eq(value, stepped, 1e-8, "%d, %g N: %g, %g", kind, force, value, stepped);
		}
		abut_pushed_box_close(&box);
	}
}

/* The box tips at f 2 b = m g a. Just beyond, the slope equals the closed form; everywhere it equals differences of
 * steps. */
Test(smoothing, tipping_begins_at_the_edge_and_matches_differences)
{
	AbutPushedBox box;
	double value;
	open_box(&box, ABUT_PUSH_TIP, 0.0);
	const double begins = 2.0 * 9.81 * 0.3 / 0.4, slope = abut_push_slope(&box.push);
	cr_expect_float_eq(abut_push_threshold(&box.push), begins, 1e-12);
	cr_expect_float_eq(slope_at(&box, begins - 1e-3, &value), 0.0, held);
	cr_expect_float_eq(slope_at(&box, begins + 1e-3, &value), slope, 1e-4 * slope);
	for (int i = 0; i < 8; i++) {
		const double force = begins + 1.0 + 3.0 * i;
		double low, high;
		cr_assert_eq(abut_pushed_box_step(&box, force - 1e-3, &low), ABUT_OK);
		cr_assert_eq(abut_pushed_box_step(&box, force + 1e-3, &high), ABUT_OK);
		const double difference = (high - low) / 2e-3;
		cr_expect_float_eq(slope_at(&box, force, &value), difference, 1e-5 * difference, "%g N", force);
	}
	abut_pushed_box_close(&box);
}

/* Away from the threshold, derivative and value of the path tend to the exact ones as kappa falls. */
Test(smoothing, the_path_converges)
{
	static const double forces[ABUT_PUSH_KINDS][2] = {{5.0, 11.0}, {15.0, 25.0}, {12.0, 20.0}};
	for (int kind = 0; kind < ABUT_PUSH_KINDS; kind++) {
		for (int side = 0; side < 2; side++) {
			AbutPushedBox box;
			double exact, value = NAN, last = INFINITY;
			open_box(&box, (AbutPushKind)kind, 0.0);
			const double force = forces[kind][side], expected = slope_at(&box, force, &exact);
			const double scale = abut_push_slope(&box.push);
			abut_pushed_box_close(&box);
			for (int i = 4; i <= 10; i += 2) {
				const double kappa = pow(10.0, -i);
				open_box(&box, (AbutPushKind)kind, kappa);
				const double off = fabs(slope_at(&box, force, &value) - expected) / scale;
				cr_expect(off < 0.2 * last || off < 1e-7, "%s, %g N, kappa %g: %g after %g",
				          abut_push_name(box.push.kind), force, kappa, off, last);
				last = off;
				abut_pushed_box_close(&box);
			}
			cr_expect_lt(last, 1e-4);
			cr_expect_float_eq(value, exact, 1e-4 * (fabs(exact) + scale), "%g, %g", value, exact);
		}
	}
}

/* E[y'] of a ramp is slope Phi((f - f0) / sigma). Both estimators agree with it within four of their standard errors.
 * The variance of a sample is at most that of slope (1 + |e|) e with values, and slope^2 / 4 with derivatives. */
Test(smoothing, randomised_estimates_are_those_of_the_average)
{
	enum { SAMPLES = 4000 };
	const double sigma = 4.0, slope = 0.01, begins = 0.4 * 2.0 * 9.81;
	AbutPushedBox box;
	open_box(&box, ABUT_PUSH_SLIP, 0.0);
	for (int i = 0; i < 6; i++) {
		AbutRng rng = {42 + (uint64_t)i};
		const double force = begins + sigma * (0.7 * i - 1.7);
		const double expected = 0.5 * slope * erfc(-(force - begins) / (sigma * sqrt(2.0)));
		double values, derivatives;
		cr_assert_eq(abut_randomised_by_values(&box, force, sigma, SAMPLES, &rng, &values), ABUT_OK);
		cr_assert_eq(abut_randomised_by_derivatives(&box, force, sigma, SAMPLES, &rng, &derivatives, NULL),
		             ABUT_OK);
		cr_expect_float_eq(values, expected, 4.0 * slope * 2.0 / sqrt(SAMPLES), "seed %d: %g, %g", 42 + i,
		                   values, expected);
		cr_expect_float_eq(derivatives, expected, 4.0 * slope * 0.5 / sqrt(SAMPLES), "seed %d: %g, %g", 42 + i,
		                   derivatives, expected);
	}
	abut_pushed_box_close(&box);
}
