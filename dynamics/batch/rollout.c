/* Records steps and chains their derivatives. Without checkpoints the derivative of every step is kept. With
 * checkpoints only the derivatives of one segment of steps are kept at a time. Its steps are repeated, bit for bit,
 * from the state at its beginning. Memory for a step is allocated when it is first recorded, so a large capacity costs
 * nothing. Tested in tests/dynamics/gradient/test_rollout.c. */
#include "abut/rollout.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "dynamics/gradient/gradient.h"
#include "dynamics/state/state.h"
#include "dynamics/step/workspace.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS, INPUT = ABUT_ROLLOUT_INPUT };

struct AbutRollout {
	const AbutModel *model;
	int capacity, segment, n_parameters;
	int count;
	double kappa;
	AbutParameter *parameters; /* (n_parameters) */
	int n_gradients, room_gradients;
	AbutGradient **gradients; /* (n_gradients) derivatives of the steps of segment `in_hand` */
	int in_hand;              /* -1: none */
	int n_checkpoints, room_checkpoints;
	AbutState **checkpoints; /* (n_checkpoints) states before the first step of each segment */
	AbutState *again;        /* state for repeated steps; NULL without checkpoints */
	int room_inputs;
	double *inputs;  /* (room_inputs x 6 n_bodies) force and torque of each step, with checkpoints */
	double *vectors; /* (2 x COLUMNS n_moving) and (2 x n_parameters) scratch */
};

/* --- creation --- */

static AbutStatus check(const AbutModel *model, const AbutRolloutOptions *options, AbutRollout **out, AbutError *error)
{
	if (!model || !options || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "model, options and out must be given");
	}
	*out = NULL;
	if (options->capacity < 1) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "capacity", "is %d; it must be 1 or more",
		                      options->capacity);
	}
	if (options->segment < 0 || options->segment > options->capacity) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "segment",
		                      "is %d; it must be 0 (no checkpoints) or up to the capacity, %d",
		                      options->segment, options->capacity);
	}
	if (options->n_parameters < 0 || (options->n_parameters > 0 && !options->parameters)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "n_parameters",
		                      "is %d; it must be 0 or as many as parameters has", options->n_parameters);
	}
	return ABUT_OK;
}

/* Creates the derivative `i` unless it exists; those before it exist. */
static AbutStatus need_gradient(AbutRollout *rollout, int i, AbutError *error)
{
	if (i < rollout->n_gradients) {
		return ABUT_OK;
	}
	if (!abut_grow(&rollout->gradients, &rollout->room_gradients, i + 1, sizeof *rollout->gradients)) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for %d steps of a rollout", i + 1);
	}
	AbutGradient *gradient = NULL;
	AbutStatus status = abut_gradient_create(rollout->model, rollout->kappa, &gradient, error);
	ABUT_THEN(status, abut_gradient_select(gradient, rollout->n_parameters, rollout->parameters, error));
	if (status == ABUT_OK) {
		rollout->gradients[rollout->n_gradients++] = gradient;
	} else {
		abut_gradient_destroy(gradient);
	}
	return status;
}

/* Creates what a recorded step k needs, which the steps before it have. */
static AbutStatus need_step(AbutRollout *rollout, int k)
{
	if (rollout->segment == 0) {
		return need_gradient(rollout, k, NULL);
	}
	const size_t inputs = INPUT * (size_t)rollout->model->n_bodies * sizeof *rollout->inputs;
	const int checkpoint = k / rollout->segment;
	if (!abut_grow(&rollout->inputs, &rollout->room_inputs, k + 1, inputs) ||
	    !abut_grow(&rollout->checkpoints, &rollout->room_checkpoints, checkpoint + 1,
	               sizeof *rollout->checkpoints)) {
		return ABUT_ERROR_MEMORY;
	}
	AbutStatus status = ABUT_OK;
	if (checkpoint == rollout->n_checkpoints) {
		status = abut_state_create(rollout->model, &rollout->checkpoints[checkpoint], NULL);
		rollout->n_checkpoints += status == ABUT_OK;
	}
	return status;
}

/* Creates the first step's derivative, which checks the options, and scratch memory. */
static AbutStatus make(AbutRollout *rollout, const AbutRolloutOptions *options, AbutError *error)
{
	const size_t n = (size_t)rollout->model->n_moving, n_parameters = (size_t)rollout->n_parameters;
	rollout->vectors = calloc(2 * COLUMNS * n + 2 * n_parameters + 1, sizeof(double));
	rollout->parameters = calloc(n_parameters + 1, sizeof *rollout->parameters);
	if (!rollout->vectors || !rollout->parameters) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a rollout");
	}
	if (n_parameters > 0) {
		memcpy(rollout->parameters, options->parameters, n_parameters * sizeof *rollout->parameters);
	}
	const AbutStatus status = need_gradient(rollout, 0, error);
	return status == ABUT_OK && rollout->segment > 0 ? abut_state_create(rollout->model, &rollout->again, error)
	                                                 : status;
}

AbutStatus abut_rollout_create(const AbutModel *model, const AbutRolloutOptions *options, AbutRollout **out,
                               AbutError *error)
{
	ABUT_TRY(check(model, options, out, error));
	AbutRollout *rollout = calloc(1, sizeof *rollout);
	if (!rollout) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a rollout");
	}
	rollout->model = model;
	rollout->capacity = options->capacity;
	rollout->segment = options->segment;
	rollout->kappa = options->kappa;
	rollout->n_parameters = options->n_parameters;
	const AbutStatus status = make(rollout, options, error);
	if (status != ABUT_OK) {
		abut_rollout_destroy(rollout);
		return status;
	}
	abut_rollout_begin(rollout);
	*out = rollout;
	return ABUT_OK;
}

void abut_rollout_destroy(AbutRollout *rollout)
{
	if (!rollout) {
		return;
	}
	for (int i = 0; i < rollout->n_gradients; i++) {
		abut_gradient_destroy(rollout->gradients[i]);
	}
	for (int i = 0; i < rollout->n_checkpoints; i++) {
		abut_state_destroy(rollout->checkpoints[i]);
	}
	abut_state_destroy(rollout->again);
	free(rollout->gradients);
	free(rollout->checkpoints);
	free(rollout->inputs);
	free(rollout->parameters);
	free(rollout->vectors);
	free(rollout);
}

/* --- recording --- */

void abut_rollout_begin(AbutRollout *rollout)
{
	rollout->count = 0;
	rollout->in_hand = -1;
}

int abut_rollout_count(const AbutRollout *rollout)
{
	return rollout->count;
}

/* Copies the input of step k from the state or into it. */
static void keep_input(AbutRollout *rollout, int k, const AbutState *state)
{
	const size_t n = 3 * (size_t)rollout->model->n_bodies;
	double *kept = &rollout->inputs[2 * n * (size_t)k];
	memcpy(kept, state->force, n * sizeof *kept);
	memcpy(kept + n, state->torque, n * sizeof *kept);
}

static void take_input(const AbutRollout *rollout, int k, AbutState *state)
{
	const size_t n = 3 * (size_t)rollout->model->n_bodies;
	const double *kept = &rollout->inputs[2 * n * (size_t)k];
	memcpy(state->force, kept, n * sizeof *kept);
	memcpy(state->torque, kept + n, n * sizeof *kept);
}

AbutStatus abut_rollout_step(AbutRollout *rollout, AbutState *state, AbutWorkspace *workspace, AbutStepInfo *info)
{
	if (!rollout || !state || !workspace || !info || state->model != rollout->model ||
	    rollout->count == rollout->capacity) {
		return ABUT_ERROR_ARGUMENT;
	}
	const int k = rollout->count, segment = rollout->segment;
	AbutStatus status = need_step(rollout, k);
	if (status != ABUT_OK) {
		*info = (AbutStepInfo){.outcome = ABUT_OUTCOME_FAILED, .log = info->log};
		return status;
	}
	if (segment == 0) {
		rollout->gradients[k]->continues = k > 0;
		status = abut_step_differentiate(rollout->model, state, workspace, rollout->gradients[k], info);
	} else {
		if (k % segment == 0) {
			status = abut_state_copy(rollout->model, state, rollout->checkpoints[k / segment]);
		}
		keep_input(rollout, k, state);
		ABUT_THEN(status, abut_step(rollout->model, state, workspace, info));
	}
	if (status == ABUT_OK && info->outcome != ABUT_OUTCOME_FAILED) {
		rollout->count++;
		rollout->in_hand = -1;
	}
	return status;
}

/* --- derivatives --- */

/* Repeats the steps of a segment with their derivatives. */
static AbutStatus take_again(AbutRollout *rollout, int segment, AbutWorkspace *workspace, AbutError *error)
{
	const int first = segment * rollout->segment;
	rollout->in_hand = -1;
	AbutStatus status = abut_state_copy(rollout->model, rollout->checkpoints[segment], rollout->again);
	for (int i = 0; status == ABUT_OK && i < rollout->segment && first + i < rollout->count; i++) {
		AbutStepInfo info = {.log = {.entries = NULL}};
		ABUT_TRY(need_gradient(rollout, i, error));
		take_input(rollout, first + i, rollout->again);
		rollout->gradients[i]->continues = first + i > 0;
		status =
		    abut_step_differentiate(rollout->model, rollout->again, workspace, rollout->gradients[i], &info);
		if (status == ABUT_OK && info.outcome == ABUT_OUTCOME_FAILED) {
			status = ABUT_ERROR_NUMERICAL;
		}
	}
	if (status != ABUT_OK) {
		return abut_error_set(error, status, NULL, "steps from %d on %s", first,
		                      status == ABUT_ERROR_STOPPED  ? "were stopped while they were taken again"
		                      : status == ABUT_ERROR_MEMORY ? "need more memory to be taken again"
		                                                    : "cannot be taken again");
	}
	rollout->in_hand = segment;
	return ABUT_OK;
}

/* Returns the derivative of step k. */
static AbutStatus gradient_of(AbutRollout *rollout, int k, AbutWorkspace *workspace, const AbutGradient **out,
                              AbutError *error)
{
	const int segment = rollout->segment > 0 ? k / rollout->segment : 0;
	if (rollout->segment > 0 && rollout->in_hand != segment) {
		ABUT_TRY(take_again(rollout, segment, workspace, error));
	}
	*out = rollout->gradients[rollout->segment > 0 ? k - segment * rollout->segment : k];
	return ABUT_OK;
}

/* Sets the error of a rollout: the step number k, followed by the message about the step's derivative. */
static AbutStatus tell_step(AbutStatus status, int k, const AbutError *why, AbutError *error)
{
	return abut_error_set(error, status, NULL, "step %d: %s", k, why->message);
}

static AbutStatus ready(const AbutRollout *rollout, const AbutWorkspace *workspace, const double *in, AbutError *error)
{
	if (!rollout || !workspace || !in) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "rollout, workspace and the vectors must be given");
	}
	if (workspace->model != rollout->model) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "the workspace is of another model");
	}
	if (rollout->count == 0) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "the rollout has no steps");
	}
	return ABUT_OK;
}

/* Splits a step's gradient, `columns` (18 n), into state and input. Copies the part of the input to `input` (may be
 * NULL). Writes the sum of the part of the state and the cost's own gradient, `by_state`, to `by`. */
static void split(const AbutRollout *rollout, const double *columns, const double *by_state, double *by, double *input)
{
	for (int i = 0; i < COLUMNS * rollout->model->n_moving; i++) {
		const int body = i / COLUMNS, c = i % COLUMNS;
		if (c < ROWS) {
			by[ROWS * body + c] = columns[i] + by_state[ROWS * body + c];
		} else if (input) {
			input[INPUT * body + c - ROWS] = columns[i];
		}
	}
}

/* The vectors of a backward pass. */
typedef struct Backward {
	double *by;         /* (ROWS n) gradient with respect to the state reached so far */
	double *columns;    /* (COLUMNS n) scratch */
	double *parameters; /* (n_parameters) the last step's contribution */
	double *sum;        /* (n_parameters) sum of all contributions */
} Backward;

static Backward backward_vectors(const AbutRollout *rollout)
{
	const size_t n = (size_t)rollout->model->n_moving;
	Backward pass = {.by = rollout->vectors, .columns = rollout->vectors + COLUMNS * n};
	pass.parameters = pass.columns + COLUMNS * n;
	pass.sum = pass.parameters + rollout->n_parameters;
	return pass;
}

/* Takes step k backwards. Replaces the gradient with respect to the state after the step (pass->by) by the gradient
 * with respect to the state before it, and adds that state's own gradient, `by_state`. Writes the gradient with respect
 * to the step's forces and torques to `input`, if not NULL. */
static AbutStatus step_back(AbutRollout *rollout, int k, AbutWorkspace *workspace, const double *by_state,
                            const Backward *pass, double *input, AbutError *error)
{
	AbutError why = {.message = ""};
	const AbutGradient *gradient;
	ABUT_TRY(gradient_of(rollout, k, workspace, &gradient, error));
	AbutStatus status = abut_gradient_backward(gradient, pass->by, pass->columns, pass->parameters, &why);
	if (status != ABUT_OK) {
		return tell_step(status, k, &why, error);
	}
	split(rollout, pass->columns, by_state, pass->by, input);
	return ABUT_OK;
}

AbutStatus abut_rollout_backward(AbutRollout *rollout, AbutWorkspace *workspace, const double *by_states,
                                 double *by_start, double *by_inputs, double *by_parameters, AbutError *error)
{
	ABUT_TRY(ready(rollout, workspace, by_states, error));
	const size_t n = (size_t)rollout->model->n_moving, state = ROWS * n;
	AbutStatus status =
	    abut_error_unless_finite("by_states", ((size_t)rollout->count + 1) * state, by_states, error);
	const Backward pass = backward_vectors(rollout);
	memcpy(pass.by, &by_states[(size_t)rollout->count * state], state * sizeof *pass.by);
	memset(pass.sum, 0, (size_t)rollout->n_parameters * sizeof *pass.sum);
	for (int k = rollout->count - 1; status == ABUT_OK && k >= 0; k--) {
		double *input = by_inputs ? &by_inputs[(size_t)k * INPUT * n] : NULL;
		status = step_back(rollout, k, workspace, &by_states[(size_t)k * state], &pass, input, error);
		for (int i = 0; i < rollout->n_parameters; i++) {
			pass.sum[i] += pass.parameters[i];
		}
	}
	if (status == ABUT_OK && by_start) {
		memcpy(by_start, pass.by, state * sizeof *by_start);
	}
	if (status == ABUT_OK && by_parameters) {
		memcpy(by_parameters, pass.sum, (size_t)rollout->n_parameters * sizeof *by_parameters);
	}
	return status;
}

/* Copies the change of the state, `by`, and the change of step k's inputs (NULL: zero) to `columns` (18 n). */
static void join(const AbutRollout *rollout, int k, const double *by, const double *inputs, double *columns)
{
	const int n = rollout->model->n_moving;
	for (int i = 0; i < COLUMNS * n; i++) {
		const int body = i / COLUMNS, c = i % COLUMNS;
		const size_t input = ((size_t)k * (size_t)n + (size_t)body) * INPUT + (size_t)c - ROWS;
		columns[i] = c < ROWS ? by[ROWS * body + c] : inputs ? inputs[input] : 0.0;
	}
}

AbutStatus abut_rollout_forward(AbutRollout *rollout, AbutWorkspace *workspace, const double *start,
                                const double *inputs, const double *parameters, double *out, AbutError *error)
{
	AbutStatus status = ready(rollout, workspace, out ? start : NULL, error);
	if (status != ABUT_OK || !out || !start) {
		return status;
	}
	const size_t n = (size_t)rollout->model->n_moving, n_inputs = (size_t)rollout->count * INPUT * n;
	ABUT_TRY(abut_error_unless_finite("start", ROWS * n, start, error));
	ABUT_TRY(abut_error_unless_finite("inputs", n_inputs, inputs, error));
	ABUT_TRY(abut_error_unless_finite("parameters", (size_t)rollout->n_parameters, parameters, error));
	memcpy(out, start, ROWS * n * sizeof *out);
	for (int k = 0; k < rollout->count; k++) {
		AbutError why = {.message = ""};
		const AbutGradient *gradient;
		ABUT_TRY(gradient_of(rollout, k, workspace, &gradient, error));
		join(rollout, k, out, inputs, rollout->vectors);
		status = abut_gradient_forward(gradient, rollout->vectors, parameters, out, &why);
		if (status != ABUT_OK) {
			return tell_step(status, k, &why, error);
		}
	}
	return status;
}
