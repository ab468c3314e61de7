/* Fits parameters and starts of segments by Levenberg-Marquardt. */
#include "experiments/identification/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/lapack.h"
#include "base/vec3.h"

enum { STATE = ABUT_FIT_STATE, MOST_TRIES = 12 };

/* The mean square of a segment's residuals, in units of the noise, above which its weight falls. */
static const double far = 10.0;

/* The least entry of the diagonal: values without effect, such as the first velocity of a box that sticks, stay
 * unchanged. */
static const double least = 1e-2;

/* Estimates the start from the motion between the previous frame and its own. */
static AbutBodyState guess(const AbutBodyState *before, const AbutBodyState *at, double timestep)
{
	AbutBodyState out = *at;
	const double back[4] = {before->orientation[0], -before->orientation[1], -before->orientation[2],
	                        -before->orientation[3]};
	double turn[4];
	abut_quat_mul(back, at->orientation, turn);
	const double sign = turn[0] < 0.0 ? -1.0 : 1.0;
	for (int k = 0; k < 3; k++) {
		out.linear_velocity[k] = (at->position[k] - before->position[k]) / timestep;
		out.angular_velocity[k] = 2.0 * sign * turn[1 + k] / timestep;
	}
	return out;
}

/* Reads the values from the model itself, which normalises the rows of faces. */
static AbutStatus read_values(AbutFit *fit, AbutError *error)
{
	for (int i = 0; i < fit->n_parameters; i++) {
		ABUT_TRY(abut_parameter_get(fit->model, &fit->parameters[i], &fit->values[i], error));
	}
	return ABUT_OK;
}

/* Returns rho of one segment's residuals, and its derivative by their sum of squares (may be NULL). */
static double weigh_segment(int rows, const double *residual, double *weight)
{
	const double bound = far * (double)rows;
	double sum = 0.0;
	for (int r = 0; r < rows; r++) {
		sum += residual[r] * residual[r];
	}
	if (weight) {
		*weight = 1.0 / (1.0 + sum / bound);
	}
	return bound * log1p(sum / bound);
}

/* Computes the sum of rho at `model` and the starts; INFINITY when a step fails. */
static AbutStatus evaluate_cost(const AbutFit *fit, const AbutModel *model, double *out, AbutError *error)
{
	const int rows = 6 * (fit->steps + 1);
	double *residual = calloc((size_t)rows, sizeof *residual);
	AbutStatus status = ABUT_OK;
	if (!residual) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for residuals");
	}
	*out = 0.0;
	for (int i = 0; status == ABUT_OK && i < fit->n_segments; i++) {
		AbutFitRows rows_of = {.residual = residual};
		status = abut_fit_segment(fit, model, &fit->segments[i], &rows_of, error);
		*out += rows_of.solved ? weigh_segment(rows, residual, NULL) : (double)INFINITY;
	}
	free(residual);
	return status;
}

AbutStatus abut_fit_open(AbutFit *fit, const AbutModel *model, int recordings, int frames, const AbutBodyState *seen,
                         AbutError *error)
{
	const int each = (frames - 2) / fit->steps;
	fit->n_segments = 0;
	fit->model = NULL;
	fit->damping = 1e-3;
	fit->segments = calloc((size_t)recordings * (size_t)each + 1, sizeof *fit->segments);
	if (!fit->segments) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for segments");
	}
	for (int i = 0; i < recordings * each; i++) {
		const AbutBodyState *at = &seen[i / each * frames + 1 + i % each * fit->steps];
		fit->segments[fit->n_segments++] = (AbutFitSegment){at, guess(at - 1, at, abut_model_timestep(model))};
	}
	ABUT_TRY(abut_model_create_changed(model, 0, NULL, NULL, &fit->model, error));
	ABUT_TRY(read_values(fit, error));
	return evaluate_cost(fit, fit->model, &fit->cost, error);
}

void abut_fit_close(AbutFit *fit)
{
	free(fit->segments);
	abut_model_destroy(fit->model);
	fit->segments = NULL;
	fit->model = NULL;
}

/* --- the normal equations --- */

/* The derivatives of half the sum of squares of one segment, by its start and by the parameters. */
typedef struct Block {
	double H[STATE * STATE], G[STATE * (ABUT_FIT_MOST + 1)]; /* column-major; G's last column: the gradient */
	bool solved;
} Block;

typedef struct Normal {
	double H[ABUT_FIT_MOST * ABUT_FIT_MOST], g[ABUT_FIT_MOST]; /* of the parameters alone */
	Block *blocks;                                             /* (n_segments) */
} Normal;

static void add_row(int n, double weight, double r, const double *s, const double *p, Block *block, Normal *normal)
{
	for (int i = 0; i < STATE; i++) {
		for (int j = 0; j < STATE; j++) {
			block->H[STATE * j + i] += weight * s[i] * s[j];
		}
		for (int j = 0; j < n; j++) {
			block->G[STATE * j + i] += weight * s[i] * p[j];
		}
		block->G[STATE * n + i] += weight * s[i] * r;
	}
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < n; j++) {
			normal->H[n * j + i] += weight * p[i] * p[j];
		}
		normal->g[i] += weight * p[i] * r;
	}
}

static AbutStatus linearise(AbutFit *fit, Normal *normal, AbutError *error)
{
	const int n = fit->n_parameters, rows = 6 * (fit->steps + 1);
	double *residual = calloc((size_t)rows * (1 + STATE + (size_t)n), sizeof *residual);
	AbutStatus status = ABUT_OK;
	if (!residual) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for derivatives");
	}
	double *by_start = residual + rows, *by_parameter = by_start + (ptrdiff_t)rows * STATE;
	AbutFitRows rows_of = {residual, by_start, by_parameter, false};
	fit->dropped = 0;
	for (int i = 0; status == ABUT_OK && i < fit->n_segments; i++) {
		Block *block = &normal->blocks[i];
		status = abut_fit_segment(fit, fit->model, &fit->segments[i], &rows_of, error);
		block->solved = rows_of.solved;
		double weight = 0.0;
		weigh_segment(rows, residual, &weight);
		fit->dropped += !block->solved;
		for (int r = 0; block->solved && r < rows; r++) {
			add_row(n, weight, residual[r], &by_start[r * STATE], &by_parameter[r * n], block, normal);
		}
	}
	free(residual);
	return status;
}

/* Computes H_ss^-1 (H_sp, g_s) of a segment, damped, into `X` (12 x (n + 1)). */
static bool eliminate(const Block *block, int n, double damping, double *X)
{
	double H[STATE * STATE];
	int pivots[STATE];
	memcpy(H, block->H, sizeof H);
	memcpy(X, block->G, sizeof *X * STATE * (size_t)(n + 1));
	for (int i = 0; i < STATE; i++) {
		H[STATE * i + i] += damping * H[STATE * i + i] + least;
	}
	return abut_lapack_solve(STATE, H, pivots, n + 1, X);
}

/* Computes the matrix and right-hand side of the parameters after eliminating the starts. */
static bool reduce(const AbutFit *fit, const Normal *normal, double damping, double *H, double *g)
{
	const int n = fit->n_parameters;
	memcpy(H, normal->H, sizeof *H * (size_t)n * (size_t)n);
	memcpy(g, normal->g, sizeof *g * (size_t)n);
	for (int i = 0; i < n; i++) {
		H[n * i + i] += damping * H[n * i + i] + least;
	}
	for (int s = 0; s < fit->n_segments; s++) {
		const Block *block = &normal->blocks[s];
		double X[STATE * (ABUT_FIT_MOST + 1)];
		if (!block->solved) {
			continue;
		}
		if (!eliminate(block, n, damping, X)) {
			return false;
		}
		for (int i = 0; i < n; i++) {
			for (int k = 0; k < STATE; k++) {
				for (int j = 0; j < n; j++) {
					H[n * j + i] -= block->G[STATE * i + k] * X[STATE * j + k];
				}
				g[i] -= block->G[STATE * i + k] * X[STATE * n + k];
			}
		}
	}
	return true;
}

static void move_start(const double *change, AbutBodyState *start)
{
	double turn[4] = {1.0, 0.5 * change[3], 0.5 * change[4], 0.5 * change[5]}, q[4];
	abut_quat_mul(start->orientation, turn, q);
	abut_quat_normalise(q);
	memcpy(start->orientation, q, sizeof q);
	abut_add3(start->position, change, start->position);
	abut_add3(start->linear_velocity, &change[6], start->linear_velocity);
	abut_add3(start->angular_velocity, &change[9], start->angular_velocity);
}

/* Takes the step of the damped equations: computes the new values and starts. False when they have no solution. */
static bool take(const AbutFit *fit, const Normal *normal, double damping, double *values, AbutFitSegment *segments)
{
	const int n = fit->n_parameters;
	double H[ABUT_FIT_MOST * ABUT_FIT_MOST], change[ABUT_FIT_MOST];
	int pivots[ABUT_FIT_MOST];
	if (!reduce(fit, normal, damping, H, change) || (n > 0 && !abut_lapack_solve(n, H, pivots, 1, change))) {
		return false;
	}
	for (int i = 0; i < n; i++) {
		values[i] = fit->values[i] - change[i];
	}
	memcpy(segments, fit->segments, sizeof *segments * (size_t)fit->n_segments);
	for (int s = 0; s < fit->n_segments; s++) {
		double X[STATE * (ABUT_FIT_MOST + 1)], by[STATE];
		if (!normal->blocks[s].solved || !eliminate(&normal->blocks[s], n, damping, X)) {
			continue;
		}
		for (int k = 0; k < STATE; k++) {
			by[k] = -X[STATE * n + k];
			for (int j = 0; j < n; j++) {
				by[k] += X[STATE * j + k] * change[j];
			}
		}
		move_start(by, &segments[s].start);
	}
	return true;
}

/* Tries a step and keeps it if the cost falls. A value that no model can have is treated as a step that is too long. */
static AbutStatus attempt(AbutFit *fit, const Normal *normal, AbutFitSegment *segments, bool *better, AbutError *error)
{
	double values[ABUT_FIT_MOST], cost = INFINITY;
	AbutModel *model = NULL;
	*better = false;
	if (!take(fit, normal, fit->damping, values, segments)) {
		return ABUT_OK;
	}
	AbutStatus status =
	    abut_model_create_changed(fit->model, fit->n_parameters, fit->parameters, values, &model, error);
	if (status != ABUT_OK) {
		return status == ABUT_ERROR_MEMORY ? status : ABUT_OK;
	}
	AbutFit there = *fit;
	there.segments = segments;
	status = evaluate_cost(&there, model, &cost, error);
	*better = status == ABUT_OK && cost < fit->cost;
	if (*better) {
		AbutModel *old = fit->model;
		fit->model = model;
		model = old;
		fit->cost = cost;
		status = read_values(fit, error);
		memcpy(fit->segments, segments, sizeof *segments * (size_t)fit->n_segments);
	}
	abut_model_destroy(model);
	return status;
}

/* Computes standard deviations: with residuals in units of their noise, the inverse of the reduced matrix is the
 * covariance. */
static void judge_deviations(AbutFit *fit, const Normal *normal)
{
	const int n = fit->n_parameters;
	double H[ABUT_FIT_MOST * ABUT_FIT_MOST], g[ABUT_FIT_MOST], inverse[ABUT_FIT_MOST * ABUT_FIT_MOST] = {0.0};
	int pivots[ABUT_FIT_MOST];
	for (int i = 0; i < n; i++) {
		inverse[n * i + i] = 1.0;
	}
	const bool known = reduce(fit, normal, 0.0, H, g) && n > 0 && abut_lapack_solve(n, H, pivots, n, inverse);
	for (int i = 0; i < n; i++) {
		fit->deviation[i] = known ? sqrt(inverse[n * i + i]) : (double)NAN;
	}
}

static AbutStatus improve(AbutFit *fit, const Normal *normal, AbutFitSegment *segments, bool *done, AbutError *error)
{
	const double before = fit->cost;
	AbutStatus status = ABUT_OK;
	bool better = false;
	for (int i = 0; status == ABUT_OK && !better && i < MOST_TRIES; i++) {
		status = attempt(fit, normal, segments, &better, error);
		fit->damping *= better ? 0.2 : 4.0;
	}
	*done = !better || before - fit->cost < 1e-6 * before;
	return status;
}

AbutStatus abut_fit_iterate(AbutFit *fit, bool *done, AbutError *error)
{
	Normal *normal = calloc(1, sizeof *normal);
	AbutFitSegment *segments = calloc((size_t)fit->n_segments + 1, sizeof *segments);
	Block *blocks = calloc((size_t)fit->n_segments + 1, sizeof *blocks);
	AbutStatus status = ABUT_ERROR_MEMORY;
	if (normal && segments && blocks) {
		normal->blocks = blocks;
		status = linearise(fit, normal, error);
	} else {
		abut_error_set(error, status, NULL, "out of memory for the normal equations");
	}
	if (status == ABUT_OK) {
		judge_deviations(fit, normal);
		status = improve(fit, normal, segments, done, error);
	}
	free(normal);
	free(segments);
	free(blocks);
	return status;
}
