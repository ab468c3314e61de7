/* Tests the cam: its lift by the closed form, the backward derivative by differences and by that of the closed form,
 * and the optimum. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "experiments/shape_optimisation/cam.h"
#include "experiments/shape_optimisation/descent.h"

enum { COUNTED = 100 };

static const AbutCam cam = {.rate = 6.283185307179586, .timestep = 0.01, .falling = 30, .counted = COUNTED};
static const double sizes[ABUT_CAM_SIZES] = {0.1, 0.08, 0.04, 0.03, -0.09};
static const double others[ABUT_CAM_SIZES] = {0.095, 0.087, 0.045, 0.012, -0.075};

static AbutModel *make_model(const double *of)
{
	AbutModel *model;
	AbutError error = {0};
	cr_assert_eq(abut_cam_model(&cam, of, &model, &error), ABUT_OK, "%s", error.message);
	return model;
}

static void closed_form(const double *of, double *lift)
{
	for (int i = 0; i < COUNTED; i++) {
		lift[i] = abut_cam_lift(of, abut_cam_angle(&cam, cam.falling + i + 1));
	}
}

static double cost_of(const double *lift, const double *wanted)
{
	double sum = 0.0;
	for (int i = 0; i < COUNTED; i++) {
		sum += (lift[i] - wanted[i]) * (lift[i] - wanted[i]) / COUNTED;
	}
	return sum;
}

/* The flywheel slows by 1e-5 rad in a turn, which changes a lift of 0.1 m per radian. */
Test(shape_optimisation, the_cam_lifts_by_its_support_function)
{
	double lift[COUNTED], expected[COUNTED];
	AbutModel *model = make_model(sizes);
	cr_assert_eq(abut_cam_run(&cam, model, lift, NULL), ABUT_OK);
	closed_form(sizes, expected);
	for (int i = 0; i < COUNTED; i++) {
		cr_expect_float_eq(lift[i], expected[i], 1e-6, "step %d: %.9f, %.9f", i, lift[i], expected[i]);
	}
	abut_model_destroy(model);
}

/* Compares with differences of runs, and with differences of the closed form, which does not use steps. */
Test(shape_optimisation, backwards_is_the_derivative)
{
	double wanted[COUNTED], by_size[ABUT_CAM_SIZES], cost, largest = 0.0;
	AbutModel *model = make_model(others);
	closed_form(sizes, wanted);
	cr_assert_eq(abut_cam_cost(&cam, model, wanted, &cost, by_size, NULL), ABUT_OK);
	for (int i = 0; i < ABUT_CAM_SIZES; i++) {
		largest = fmax(largest, fabs(by_size[i]));
	}
	for (int i = 0; i < ABUT_CAM_SIZES; i++) {
		double run[2], form[2];
		for (int side = 0; side < 2; side++) {
			double moved[ABUT_CAM_SIZES], lift[COUNTED];
			memcpy(moved, others, sizeof moved);
			moved[i] += side ? 1e-6 : -1e-6;
			AbutModel *other = make_model(moved);
			cr_assert_eq(abut_cam_run(&cam, other, lift, NULL), ABUT_OK);
			run[side] = cost_of(lift, wanted);
			closed_form(moved, lift);
			form[side] = cost_of(lift, wanted);
			abut_model_destroy(other);
		}
		cr_expect_float_eq(by_size[i], (run[1] - run[0]) / 2e-6, 1e-4 * largest, "size %d: %g, %g", i,
		                   by_size[i], (run[1] - run[0]) / 2e-6);
		cr_expect_float_eq(by_size[i], (form[1] - form[0]) / 2e-6, 1e-3 * largest, "size %d: %g, %g", i,
		                   by_size[i], (form[1] - form[0]) / 2e-6);
	}
	abut_model_destroy(model);
}

static bool evaluate(void *context, const double *x, double *cost, double *slope)
{
	AbutModel *model = NULL;
	AbutStatus status = abut_cam_model(&cam, x, &model, NULL);
	if (status == ABUT_OK) {
		status = abut_cam_cost(&cam, model, context, cost, slope, NULL);
	}
	abut_model_destroy(model);
	return status == ABUT_OK;
}

Test(shape_optimisation, the_known_optimum_is_found)
{
	double wanted[COUNTED];
	AbutDescent descent = {.evaluate = evaluate, .context = wanted, .n = ABUT_CAM_SIZES, .longest = 0.005};
	closed_form(sizes, wanted);
	memcpy(descent.x, others, sizeof others);
	cr_assert(abut_descent_begin(&descent));
	for (int i = 0; i < 60 && abut_descent_step(&descent); i++) {
	}
	for (int i = 0; i < ABUT_CAM_SIZES; i++) {
		cr_expect_float_eq(descent.x[i], sizes[i], 1e-4, "size %d: %g", i, descent.x[i]);
	}
}

/* Rosenbrock's valley, whose lowest point is (1, 1). */
static bool valley(void *context, const double *x, double *cost, double *slope)
{
	const double across = x[1] - x[0] * x[0];
	(void)context;
	*cost = 100.0 * across * across + (1.0 - x[0]) * (1.0 - x[0]);
	slope[0] = -400.0 * x[0] * across - 2.0 * (1.0 - x[0]);
	slope[1] = 200.0 * across;
	return true;
}

Test(shape_optimisation, descent_goes_down_a_valley)
{
	AbutDescent descent = {.evaluate = valley, .n = 2, .longest = 0.1, .x = {-1.2, 1.0}};
	cr_assert(abut_descent_begin(&descent));
	int steps = 0;
	while (steps < 100 && abut_descent_step(&descent)) {
		steps++;
	}
	cr_expect_float_eq(descent.x[0], 1.0, 1e-6, "%g after %d", descent.x[0], steps);
	cr_expect_float_eq(descent.x[1], 1.0, 1e-6, "%g after %d", descent.x[1], steps);
}
