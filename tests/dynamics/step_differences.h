/* Computes differences of steps by the state and the input of every moving body, for tests of the derivative. They use
 * its coordinates and the same warm start, so that all steps end in the same solution. They are separate from the
 * differences of the command (experiments/reference/differences.h), so that each checks the other. */
#pragma once

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "abut/gradient.h"
#include "base/vec3.h"
#include "dynamics/gradient/gradient.h"
#include "dynamics/state/state.h"
#include "dynamics/step/workspace.h"
#include "world.h"

enum { GRADIENT_ROWS = ABUT_GRADIENT_ROWS, GRADIENT_COLUMNS = ABUT_GRADIENT_COLUMNS, GRADIENT_BODIES = 4 };

/* Holds the matrix of up to GRADIENT_BODIES bodies, with the width that their number gives. */
typedef double GradientMatrix[GRADIENT_ROWS * GRADIENT_BODIES * GRADIENT_COLUMNS * GRADIENT_BODIES];

/* Changes one column, of the state or of the input, by `step`. */
static inline void change_state(const AbutModel *model, AbutState *state, int column, double step)
{
	const int body = model->moving_body[column / GRADIENT_COLUMNS], kind = column % GRADIENT_COLUMNS,
	          axis = kind % 3;
	AbutBodyState *at = &state->motion[body].at;
	double phi[3] = {0.0, 0.0, 0.0}, R[9];
	abut_quat_to_mat3(at->orientation, R);
	const bool planar = model->bodies[body].planar;
	for (int k = 0; k < 3; k++) { /* a planar body takes of a turn what is about y */
		phi[k] = planar ? step * R[3 + axis] * R[3 + k] : k == axis ? step : 0.0;
	}
	const double along = planar && axis == 1 ? 0.0 : step;
	if (kind < ABUT_GRADIENT_ROTATION) {
		at->position[axis] += along;
	} else if (kind < ABUT_GRADIENT_LINEAR) {
		double turn[4] = {1.0, 0.5 * phi[0], 0.5 * phi[1], 0.5 * phi[2]}, q[4];
		abut_quat_mul(at->orientation, turn, q);
		abut_quat_normalise(q);
		memcpy(at->orientation, q, sizeof q);
	} else if (kind < ABUT_GRADIENT_ANGULAR) {
		at->linear_velocity[axis] += along;
	} else if (kind < ABUT_GRADIENT_FORCE) {
		for (int k = 0; k < 3; k++) {
			at->angular_velocity[k] += phi[k];
		}
	} else {
		(kind < ABUT_GRADIENT_TORQUE ? state->force : state->torque)[3 * body + axis] += step;
	}
}

/* Computes the result of the step that was differentiated last, on the path if its derivative is on the path; at the
 * centres of mass. */
static inline void next_of(const AbutModel *model, const AbutGradient *gradient, AbutBodyState *out)
{
	for (int i = 0; i < model->n_moving; i++) {
		const int body = model->moving_body[i];
		double R[9], centre[3];
		cr_assert_eq(abut_gradient_next(gradient, body, &out[i], NULL), ABUT_OK);
		abut_quat_to_mat3(out[i].orientation, R);
		abut_mat3_vec(R, model->bodies[body].centre_of_mass, centre);
		for (int k = 0; k < 3; k++) {
			out[i].position[k] += centre[k];
		}
	}
}

/* Twelve rows of each body, from `base` to `to`. */
static inline void difference_of(int n, const AbutBodyState *base, const AbutBodyState *to, double *out)
{
	for (int i = 0; i < n; i++) {
		const double *q = base[i].orientation, back[4] = {q[0], -q[1], -q[2], -q[3]};
		double turn[4];
		abut_quat_mul(back, to[i].orientation, turn);
		for (int k = 0; k < 3; k++) {
			double *row = &out[GRADIENT_ROWS * i + k];
			row[ABUT_GRADIENT_POSITION] = to[i].position[k] - base[i].position[k];
			row[ABUT_GRADIENT_ROTATION] = 2.0 * turn[1 + k] / turn[0];
			row[ABUT_GRADIENT_LINEAR] = to[i].linear_velocity[k] - base[i].linear_velocity[k];
			row[ABUT_GRADIENT_ANGULAR] = to[i].angular_velocity[k] - base[i].angular_velocity[k];
		}
	}
}

static inline void state_of(const AbutModel *model, const AbutState *state, AbutBodyState *out)
{
	for (int i = 0; i < model->n_moving; i++) {
		out[i] = state->motion[model->moving_body[i]].at;
	}
}

/* Every step of method point-ncp ends on the path. */
static inline bool is_solved(const AbutModel *model, const AbutStepInfo *info)
{
	return info->exact || (model->options.method == ABUT_METHOD_POINT_NCP && info->outcome == ABUT_OUTCOME_RELAXED);
}

/* Takes one step from `before` with a column changed. Returns false if it is not solved in the same way as the base. */
static inline bool step_changed_by(World *world, AbutGradient *gradient, const AbutState *before, int column,
                                   double step, AbutBodyState *next)
{
	const AbutModel *model = world->model;
	AbutState *from, *to;
	AbutStepInfo info = {.exact = false};
	cr_assert_eq(abut_state_create(model, &from, NULL), ABUT_OK);
	cr_assert_eq(abut_state_create(model, &to, NULL), ABUT_OK);
	cr_assert_eq(abut_state_copy(model, before, from), ABUT_OK);
	change_state(model, from, column, step);
	cr_assert_eq(abut_state_copy(model, from, to), ABUT_OK);
	if (gradient->kappa > 0.0) {
		cr_assert_eq(abut_step_differentiate(model, to, world->workspace, gradient, &info), ABUT_OK);
		next_of(model, gradient, next);
	} else {
		cr_assert_eq(abut_step(model, to, world->workspace, &info), ABUT_OK);
		state_of(model, to, next);
	}
	abut_state_destroy(from);
	abut_state_destroy(to);
	return is_solved(model, &info);
}

/* Computes central differences of fourth order: error h^4, and rounding over h. Returns false if a step is not solved
 * exactly. */
static inline bool step_differences(World *world, AbutGradient *gradient, const AbutState *before,
                                    const AbutBodyState *base, double h, double *out)
{
	static const double steps[4] = {1.0, -1.0, 2.0, -2.0};
	const int n = world->model->n_moving, rows = GRADIENT_ROWS * n, width = GRADIENT_COLUMNS * n;
	for (int column = 0; column < width; column++) {
		double d[4][GRADIENT_ROWS * GRADIENT_BODIES];
		for (int i = 0; i < 4; i++) {
			AbutBodyState next[GRADIENT_BODIES];
			if (!step_changed_by(world, gradient, before, column, steps[i] * h, next)) {
				return false;
			}
			difference_of(n, base, next, d[i]);
		}
		for (int r = 0; r < rows; r++) {
			out[r * width + column] = (8.0 * (d[0][r] - d[1][r]) - (d[2][r] - d[3][r])) / (12.0 * h);
		}
	}
	return true;
}

/* Returns the largest error of the blocks "state" and "input", relative to the block's largest entry, or to the effect
 * of a force in flight if that is larger. (If all contacts stick, the block of the input is zero.) */
static inline double block_error(const AbutModel *model, const double *J, const double *D)
{
	const int n = model->n_moving, rows = GRADIENT_ROWS * n, width = GRADIENT_COLUMNS * n;
	double size[2] = {0.0, 0.0}, error[2] = {0.0, 0.0};
	for (int i = 0; i < n; i++) {
		size[1] = fmax(size[1], model->timestep_si / model->bodies[model->moving_body[i]].mass_si);
	}
	for (int r = 0; r < rows; r++) {
		for (int c = 0; c < width; c++) {
			const int block = c % GRADIENT_COLUMNS < ABUT_GRADIENT_FORCE ? 0 : 1;
			size[block] = fmax(size[block], fabs(J[r * width + c]));
			const double difference = fabs(J[r * width + c] - D[r * width + c]);
			if (!isfinite(difference)) {
				return INFINITY;
			}
			error[block] = fmax(error[block], difference);
		}
	}
	return fmax(error[0] / size[0], error[1] / size[1]);
}

/* The result of comparing a step's derivative with differences. */
typedef struct StepCheck {
	bool there;   /* the step is solved, and has a derivative */
	double error; /* the least one, since which h is small enough, and large enough for rounding, differs from state
	               * to state; INFINITY: no step beside is solved */
	bool falls;   /* each error is less than a fifth of the one before */
} StepCheck;

/* Differentiates the next step of the world and compares it with differences for each h, until an error is within the
 * bound. The world takes the step, which must not fail. */
static inline StepCheck check_of_step(World *world, AbutGradient *gradient, int n_h, const double *h, double bound)
{
	static GradientMatrix J, D;
	StepCheck check = {.error = INFINITY, .falls = true};
	AbutState *before;
	AbutBodyState base[GRADIENT_BODIES];
	double last = INFINITY;
	cr_assert_leq(world->model->n_moving, GRADIENT_BODIES);
	cr_assert_eq(abut_state_create(world->model, &before, NULL), ABUT_OK);
	cr_assert_eq(abut_state_copy(world->model, world->state, before), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world->model, world->state, world->workspace, gradient, &world->info),
	             ABUT_OK);
	cr_assert_neq(world->info.outcome, ABUT_OUTCOME_FAILED);
	check.there = is_solved(world->model, &world->info) && abut_gradient_matrix(gradient, J, NULL) == ABUT_OK;
	if (check.there && gradient->kappa > 0.0) {
		next_of(world->model, gradient, base);
	} else {
		state_of(world->model, world->state, base);
	}
	for (int i = 0; check.there && i < n_h && !(check.error <= bound); i++) {
		const bool stepped = step_differences(world, gradient, before, base, h[i], D);
		const double error = stepped ? block_error(world->model, J, D) : (double)INFINITY;
		check.falls = check.falls && error < 0.2 * last;
		check.error = fmin(check.error, error);
		last = error;
	}
	abut_state_destroy(before);
	return check;
}
