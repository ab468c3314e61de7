/* Computes the residuals of one segment of a fit, and their derivatives as products of those of the steps. */
#include "experiments/identification/segment.h"

#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "experiments/setting/turn.h"
#include "experiments/setting/world.h"

enum { STATE = ABUT_FIT_STATE, WIDTH = ABUT_GRADIENT_COLUMNS };

typedef struct Chain {
	double start[STATE * STATE], parameter[STATE * ABUT_FIT_MOST]; /* d state by both */
} Chain;

static void compare(const AbutFit *fit, const AbutBodyState *seen, const AbutBodyState *at, double residual[6])
{
	abut_turn_between(seen->orientation, at->orientation, &residual[3]);
	abut_sub3(at->position, seen->position, residual);
	abut_divide3(residual, fit->position_noise, residual);
	abut_divide3(&residual[3], fit->rotation_noise, &residual[3]);
}

/* Computes how the turn `phi` from the recorded pose changes with a small turn about the body's axes after it: 1 +
 * [phi] / 2 + [phi]^2 / 12, to the third order. */
static void turn_matrix(const double phi[3], double out[9])
{
	const double square = abut_dot3(phi, phi);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			out[3 * i + j] = phi[i] * phi[j] / 12.0 + (i == j ? 1.0 - square / 12.0 : 0.0);
		}
		const int after = (i + 1) % 3, last = (i + 2) % 3;
		out[3 * i + after] -= 0.5 * phi[last];
		out[3 * i + last] += 0.5 * phi[after];
	}
}

/* Writes the six rows of a pose from those of the state, `n` columns. */
static void write_rows(const AbutFit *fit, const double residual[6], int n, const double *state, double *out)
{
	double phi[3], turn[9];
	abut_scale3(fit->rotation_noise, &residual[3], phi);
	turn_matrix(phi, turn);
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < n; c++) {
			const double *column = &state[(ptrdiff_t)n * ABUT_GRADIENT_ROTATION + c];
			out[n * r + c] = state[n * r + c] / fit->position_noise;
			out[n * (3 + r) + c] =
			    (turn[3 * r] * column[0] + turn[3 * r + 1] * column[n] + turn[3 * r + 2] * column[2 * n]) /
			    fit->rotation_noise;
		}
	}
}

/* Multiplies `in` (12 x n) by the state columns of J. */
static void carry(const double *J, int n, double *in)
{
	double out[STATE * ABUT_FIT_MOST] = {0.0};
	for (int r = 0; r < STATE; r++) {
		for (int c = 0; c < n; c++) {
			double sum = 0.0;
			for (int k = 0; k < STATE; k++) {
				sum += J[WIDTH * r + k] * in[n * k + c];
			}
			out[n * r + c] = sum;
		}
	}
	memcpy(in, out, sizeof *out * STATE * (size_t)n);
}

static AbutStatus follow(const AbutFit *fit, const AbutGradient *gradient, Chain *chain, bool *solved, AbutError *error)
{
	double J[STATE * WIDTH], P[STATE * ABUT_FIT_MOST] = {0.0};
	AbutStatus status = abut_gradient_matrix(gradient, J, error);
	if (status == ABUT_OK && fit->n_parameters > 0) {
		status = abut_gradient_parameters(gradient, P, error);
	}
	if (status == ABUT_ERROR_NUMERICAL || status == ABUT_ERROR_UNSUPPORTED) {
		*solved = false;
		return ABUT_OK;
	}
	if (status == ABUT_OK) {
		carry(J, STATE, chain->start);
		carry(J, fit->n_parameters, chain->parameter);
		for (int i = 0; i < STATE * fit->n_parameters; i++) {
			chain->parameter[i] += P[i];
		}
	}
	return status;
}

static AbutStatus step(const AbutFit *fit, const AbutWorld *world, AbutGradient *gradient, Chain *chain, bool *solved,
                       AbutError *error)
{
	AbutStepInfo info = {.outcome = ABUT_OUTCOME_FAILED};
	const AbutStatus status =
	    gradient ? abut_step_differentiate(world->model, world->state, world->workspace, gradient, &info)
	             : abut_step(world->model, world->state, world->workspace, &info);
	*solved = status == ABUT_OK && info.outcome != ABUT_OUTCOME_FAILED;
	return *solved && gradient ? follow(fit, gradient, chain, solved, error) : status;
}

static AbutStatus roll(const AbutFit *fit, const AbutWorld *world, AbutGradient *gradient,
                       const AbutFitSegment *segment, AbutFitRows *out, AbutError *error)
{
	Chain chain = {{0.0}, {0.0}};
	AbutStatus status = abut_state_set_body(world->model, world->state, fit->body, &segment->start);
	for (int i = 0; i < STATE; i++) {
		chain.start[STATE * i + i] = 1.0;
	}
	out->solved = status == ABUT_OK;
	status = status == ABUT_ERROR_ARGUMENT ? ABUT_OK : status; /* a start that no body can have */
	for (int i = 0; out->solved && i <= fit->steps; i++) {
		AbutBodyState at;
		abut_state_get_body(world->model, world->state, fit->body, &at);
		compare(fit, &segment->seen[i], &at, &out->residual[6 * i]);
		if (gradient) {
			write_rows(fit, &out->residual[6 * i], STATE, chain.start, &out->by_start[6 * i * STATE]);
			write_rows(fit, &out->residual[6 * i], fit->n_parameters, chain.parameter,
			           &out->by_parameter[6 * i * fit->n_parameters]);
		}
		if (i < fit->steps) {
			status = step(fit, world, gradient, &chain, &out->solved, error);
		}
	}
	return status;
}

AbutStatus abut_fit_segment(const AbutFit *fit, const AbutModel *model, const AbutFitSegment *segment, AbutFitRows *out,
                            AbutError *error)
{
	AbutWorld world = {(AbutModel *)model, NULL, NULL};
	AbutGradient *gradient = NULL;
	AbutStatus status = abut_state_create(model, &world.state, error);
	ABUT_THEN(status, abut_workspace_create(model, &world.workspace, error));
	if (out->by_start) {
		ABUT_THEN(status, abut_gradient_create(model, fit->kappa, &gradient, error));
		ABUT_THEN(status, abut_gradient_select(gradient, fit->n_parameters, fit->parameters, error));
	}
	ABUT_THEN(status, roll(fit, &world, gradient, segment, out, error));
	abut_gradient_destroy(gradient);
	abut_workspace_destroy(world.workspace);
	abut_state_destroy(world.state);
	return status;
}
