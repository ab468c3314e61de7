/* Compares derivatives in joint coordinates with central differences of steps. */
#pragma once

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abut/abut.h"

/* A model with what differences need. */
typedef struct LinearCase {
	const AbutModel *model;
	AbutRobot *robot;
	AbutLinear *linear;
	AbutGradient *path; /* NULL at kappa 0 */
	AbutState *state, *probe;
	AbutWorkspace *workspace;
	int n_q, n_v, n_x, n_u;
	double *q, *qdot, *at, *rates, *end[2], *end_rates[2], *middle;
	double *A, *B;
} LinearCase;

static inline double *linear_array(int n)
{
	double *out = calloc((size_t)n + 1, sizeof *out);
	cr_assert(out);
	return out;
}

static inline void linear_begin(LinearCase *c, const AbutModel *model, double kappa)
{
	AbutError error = {.status = ABUT_OK};
	*c = (LinearCase){.model = model};
	cr_assert_eq(abut_robot_create(model, &c->robot, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_linear_create(model, kappa, &c->linear, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_state_create(model, &c->state, &error), ABUT_OK);
	cr_assert_eq(abut_state_create(model, &c->probe, &error), ABUT_OK);
	cr_assert_eq(abut_workspace_create(model, &c->workspace, &error), ABUT_OK);
	if (kappa > 0.0) {
		cr_assert_eq(abut_gradient_create(model, kappa, &c->path, &error), ABUT_OK);
	}
	c->n_q = abut_robot_coordinate_count(c->robot);
	c->n_v = abut_robot_velocity_count(c->robot);
	c->n_x = abut_linear_state_count(c->linear);
	c->n_u = abut_linear_input_count(c->linear);
	cr_assert_eq(c->n_x, 2 * c->n_v);
	double **const arrays[] = {
	    &c->q, &c->qdot, &c->at, &c->rates, &c->end[0], &c->end_rates[0], &c->end_rates[1], &c->end[1], &c->middle};
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
		*arrays[i] = linear_array(c->n_q);
	}
	c->A = linear_array(c->n_x * c->n_x);
	c->B = linear_array(c->n_x * c->n_u);
}

static inline void linear_end(LinearCase *c)
{
	double *const arrays[] = {c->q,      c->qdot,         c->at,           c->rates,  c->end[0],
	                          c->end[1], c->end_rates[0], c->end_rates[1], c->middle, c->A,
	                          c->B};
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
		free(arrays[i]);
	}
	abut_workspace_destroy(c->workspace);
	abut_state_destroy(c->probe);
	abut_state_destroy(c->state);
	abut_gradient_destroy(c->path);
	abut_linear_destroy(c->linear);
	abut_robot_destroy(c->robot);
}

/* Steps the probe; on the path, moves it to the point of the path. */
static inline bool linear_probe_step(LinearCase *c, AbutStepInfo *info)
{
	if (!c->path) {
		return abut_step(c->model, c->probe, c->workspace, info) == ABUT_OK;
	}
	bool taken = abut_step_differentiate(c->model, c->probe, c->workspace, c->path, info) == ABUT_OK;
	for (int i = 0; taken && i < abut_model_body_count(c->model); i++) {
		AbutBodyState next;
		if (!abut_model_body_is_static(c->model, i)) {
			taken = abut_gradient_next(c->path, i, &next, NULL) == ABUT_OK &&
			        abut_state_set_body(c->model, c->probe, i, &next) == ABUT_OK;
		}
	}
	return taken;
}

/* Takes a step from the case's q and qdot, with entry `column` of (x, u) changed, into end[side]. */
static inline bool linear_probe(LinearCase *c, int column, double by, int side)
{
	AbutStepInfo info = {.row = 0};
	double change[512] = {0.0};
	cr_assert_leq(c->n_v, 512);
	memcpy(c->rates, c->qdot, (size_t)c->n_v * sizeof *c->rates);
	if (column < c->n_v) {
		change[column] = by;
	} else if (column < c->n_x) {
		c->rates[column - c->n_v] += by;
	}
	cr_assert_eq(abut_robot_integrate(c->robot, c->q, change, 1.0, c->at), ABUT_OK);
	cr_assert_eq(abut_state_copy(c->model, c->state, c->probe), ABUT_OK);
	cr_assert_eq(abut_robot_set_state(c->robot, c->at, c->rates, c->probe), ABUT_OK, "%s",
	             abut_robot_error(c->robot)->message);
	if (column >= c->n_x) {
		const AbutParameter motor = abut_linear_input(c->linear, column - c->n_x);
		double target;
		abut_state_get_motor(c->model, c->probe, motor.part, motor.index, &target);
		abut_state_set_motor(c->model, c->probe, motor.part, motor.index, target + by);
	}
	if (!linear_probe_step(c, &info) || !info.exact) {
		return false;
	}
	return abut_robot_get_state(c->robot, c->probe, c->end[side], c->end_rates[side]) == ABUT_OK;
}

/* Computes the central difference of a column, and the largest difference of the rates' one-sided ones, `jump`. */
static inline bool linear_difference(LinearCase *c, int column, double by, double *out, double *jump)
{
	if (!linear_probe(c, column, 0.0, 0)) {
		return false;
	}
	memcpy(c->middle, c->end_rates[0], (size_t)c->n_v * sizeof *c->middle);
	if (!linear_probe(c, column, by, 1) || !linear_probe(c, column, -by, 0)) {
		return false;
	}
	cr_assert_eq(abut_robot_difference(c->robot, c->end[0], c->end[1], out), ABUT_OK);
	*jump = 0.0;
	for (int i = 0; i < c->n_v; i++) {
		*jump = fmax(*jump, fabs(c->end_rates[1][i] - 2.0 * c->middle[i] + c->end_rates[0][i]) / by);
		out[i] *= 0.5 / by;
		out[c->n_v + i] = 0.5 * (c->end_rates[1][i] - c->end_rates[0][i]) / by;
	}
	return true;
}

/* Returns the largest entry of the matrix of a column, in its rows of coordinates or (half 1) of rates. */
static inline double linear_scale(const LinearCase *c, int half, int column)
{
	const double *matrix = column < c->n_x ? c->A : c->B;
	const int width = column < c->n_x ? c->n_x : c->n_u;
	double largest = 1e-9;
	for (int k = half * c->n_v * width; k < (half + 1) * c->n_v * width; k++) {
		largest = fmax(largest, fabs(matrix[k]));
	}
	return largest;
}

/* Returns the error of a column by extrapolated differences of the step `by`, relative to the largest entry of its
 * matrix, among rows of coordinates or of rates; NAN if the differences do not settle to 2e-7, or show a kink. */
static inline double linear_column_error(LinearCase *c, int column, double by)
{
	double d[3][1024], jump[3], worst = 0.0;
	cr_assert_leq(c->n_x, 1024);
	for (int i = 0; i < 3; i++) {
		if (!linear_difference(c, column, by / (double)(1 << i), d[i], &jump[i])) {
			return (double)NAN;
		}
	}
	if (jump[2] > 0.5 * jump[0] && jump[2] > 1e-4 * linear_scale(c, 1, column)) {
		return (double)NAN;
	}
	for (int half = 0; half < 2; half++) {
		const double largest = linear_scale(c, half, column);
		for (int k = half * c->n_v; k < (half + 1) * c->n_v; k++) {
			const double fine = (4.0 * d[2][k] - d[1][k]) / 3.0, coarse = (4.0 * d[1][k] - d[0][k]) / 3.0;
			const double best = (16.0 * fine - coarse) / 15.0;
			const double own =
			    column < c->n_x ? c->A[k * c->n_x + column] : c->B[k * c->n_u + column - c->n_x];
			if (fabs(best - fine) > 2e-7 * largest) {
				return (double)NAN;
			}
			worst = fmax(worst, fabs(own - best) / largest);
		}
	}
	return worst;
}

/* Differentiates a step from q and qdot. */
static inline AbutStatus linear_take(LinearCase *c, AbutError *error)
{
	AbutStepInfo info = {.row = 0};
	cr_assert_eq(abut_robot_set_state(c->robot, c->q, c->qdot, c->state), ABUT_OK);
	cr_assert_eq(abut_state_copy(c->model, c->state, c->probe), ABUT_OK);
	cr_assert_eq(abut_linear_step(c->linear, c->probe, c->workspace, &info), ABUT_OK);
	return abut_linear_matrices(c->linear, c->A, c->B, NULL, error);
}

/* Returns the error of a column by the first of several sizes of differences that confirms it, or else the smallest
 * error of those that settle; NAN if none does. */
static inline double linear_error(LinearCase *c, int column, double tolerance)
{
	static const double sizes[] = {4e-3, 1e-3, 1e-2, 3e-4, 1e-4, 3e-5, 1e-5, 1e-6};
	double best = (double)NAN;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes && !(best <= tolerance); i++) {
		best = fmin(best, linear_column_error(c, column, sizes[i]));
	}
	return best;
}
