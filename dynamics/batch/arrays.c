/* Copies states, inputs, contacts and joints to and from arrays. The numbers of a body are laid out like an
 * AbutBodyState in memory. */
#include "abut/arrays.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/model/model.h"
#include "dynamics/state/state.h"
#include "dynamics/step/workspace.h"

_Static_assert(sizeof(AbutBodyState) == ABUT_STATE_NUMBERS * sizeof(double), "numbers without padding");
_Static_assert(sizeof(AbutMotion) % sizeof(double) == 0, "a stride of whole numbers");
_Static_assert(offsetof(AbutMotion, at) == 0, "the motion begins with the body's state");

AbutMotionView abut_state_motion(const AbutState *state)
{
	if (!state) {
		return (AbutMotionView){NULL, 0, 0};
	}
	return (AbutMotionView){(const double *)(const void *)state->motion, sizeof(AbutMotion) / sizeof(double),
	                        state->model->n_bodies};
}

AbutStatus abut_state_get_bodies(const AbutModel *model, const AbutState *state, double *out)
{
	if (!model || !state || !out || state->model != model) {
		return ABUT_ERROR_ARGUMENT;
	}
	for (int i = 0; i < model->n_bodies; i++) {
		AbutBodyState body;
		abut_state_get_body(model, state, i, &body);
		memcpy(&out[(size_t)i * ABUT_STATE_NUMBERS], &body, sizeof body);
	}
	return ABUT_OK;
}

/* --- setting --- */

typedef struct Part {
	const char *name, *allowed;
	int first, count;
} Part;

static const Part parts[] = {
    {"position", "numbers within 1e9 m", 0, 3},
    {"orientation", "a quaternion of unit length to 1e-6", 3, 4},
    {"linear_velocity", "numbers within 1e9 m/s, zero of a static body, along x and z of a planar one", 7, 3},
    {"angular_velocity", "less than 76.8 / timestep rad/s, zero of a static body, about the world's y of a planar one",
     10, 3},
};

static void write_numbers(const double *values, int n, char *text, size_t size)
{
	size_t length = 0;
	for (int i = 0; i < n && length < size; i++) {
		length += (size_t)snprintf(text + length, size - length, "%s%.9g", i ? ", " : "", values[i]);
	}
}

static AbutStatus refuse(const AbutModel *model, int body, const double *numbers, const Part *part, const char *world,
                         AbutError *error)
{
	char where[96], text[128];
	snprintf(where, sizeof where, "%sbodies[%d].%s", world, body, part->name);
	write_numbers(numbers + part->first, part->count, text, sizeof text);
	return abut_error_set(error, ABUT_ERROR_ARGUMENT, where, "of %s must be %s, is (%s)", model->bodies[body].name,
	                      part->allowed, text);
}

/* Finds the first group of a body's numbers that is not allowed, by setting each group alone in a body at rest. If each
 * group alone is allowed, the spin does not fit the orientation of a planar body. */
static const Part *impossible_part(const AbutModel *model, int body, const double *numbers)
{
	const size_t n = sizeof parts / sizeof *parts;
	for (size_t i = 0; i < n; i++) {
		double tried[ABUT_STATE_NUMBERS] = {[3] = 1.0};
		AbutBodyState value;
		memcpy(&tried[parts[i].first], &numbers[parts[i].first], (size_t)parts[i].count * sizeof *tried);
		memcpy(&value, tried, sizeof value);
		if (!abut_state_motion_possible(model, body, &value)) {
			return &parts[i];
		}
	}
	return &parts[n - 1];
}

static AbutStatus check_bodies(const AbutModel *model, const double *values, const char *world, AbutError *error)
{
	for (int i = 0; i < model->n_bodies; i++) {
		const double *numbers = &values[(size_t)i * ABUT_STATE_NUMBERS];
		AbutBodyState body;
		memcpy(&body, numbers, sizeof body);
		if (!abut_state_motion_possible(model, i, &body)) {
			return refuse(model, i, numbers, impossible_part(model, i, numbers), world, error);
		}
	}
	return ABUT_OK;
}

static AbutStatus not_of_model(AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "nothing may be NULL, and the state is the model's");
}

AbutStatus abut_state_set_bodies(const AbutModel *model, AbutState *state, const double *values, AbutError *error)
{
	if (!model || !state || !values || state->model != model) {
		return not_of_model(error);
	}
	ABUT_TRY(check_bodies(model, values, "", error));
	for (int i = 0; i < model->n_bodies; i++) {
		AbutBodyState body;
		memcpy(&body, &values[(size_t)i * ABUT_STATE_NUMBERS], sizeof body);
		abut_state_set_body(model, state, i, &body);
	}
	return ABUT_OK;
}

AbutStatus abut_batch_set_states(AbutBatch *batch, const double *values, AbutError *error)
{
	if (!batch || !values) {
		return not_of_model(error);
	}
	const AbutModel *model = abut_batch_state(batch, 0)->model;
	const int n_worlds = abut_batch_world_count(batch);
	const size_t of_world = (size_t)model->n_bodies * ABUT_STATE_NUMBERS;
	for (int i = 0; i < n_worlds; i++) {
		char world[32];
		snprintf(world, sizeof world, "worlds[%d].", i);
		ABUT_TRY(check_bodies(model, &values[(size_t)i * of_world], world, error));
	}
	for (int i = 0; i < n_worlds; i++) {
		abut_state_set_bodies(model, abut_batch_state(batch, i), &values[(size_t)i * of_world], error);
	}
	return ABUT_OK;
}

AbutStatus abut_batch_get_outcomes(const AbutBatch *batch, AbutOutcome *out)
{
	if (!batch || !out) {
		return ABUT_ERROR_ARGUMENT;
	}
	for (int i = 0; i < abut_batch_world_count(batch); i++) {
		abut_batch_outcome(batch, i, &out[i]);
	}
	return ABUT_OK;
}

/* --- inputs --- */

AbutStatus abut_state_get_inputs(const AbutModel *model, const AbutState *state, double *out)
{
	if (!model || !state || !out || state->model != model) {
		return ABUT_ERROR_ARGUMENT;
	}
	for (int i = 0; i < model->n_bodies; i++, out += ABUT_INPUT_NUMBERS) {
		abut_copy3(&state->force[3 * i], out);
		abut_copy3(&state->torque[3 * i], out + 3);
	}
	return ABUT_OK;
}

AbutStatus abut_state_set_inputs(const AbutModel *model, AbutState *state, const double *force_torque, AbutError *error)
{
	if (!model || !state || !force_torque || state->model != model) {
		return not_of_model(error);
	}
	for (int i = 0; i < model->n_bodies; i++) {
		const double *input = &force_torque[(size_t)i * ABUT_INPUT_NUMBERS];
		if (!abut_state_input_possible(model, i, input, input + 3)) {
			const Part part = {"input", "numbers within 1e30 N or N m, zero of a static body", 0,
			                   ABUT_INPUT_NUMBERS};
			return refuse(model, i, input, &part, "", error);
		}
	}
	for (int i = 0; i < model->n_bodies; i++) {
		const double *input = &force_torque[(size_t)i * ABUT_INPUT_NUMBERS];
		abut_copy3(input, &state->force[3 * i]);
		abut_copy3(input + 3, &state->torque[3 * i]);
	}
	return ABUT_OK;
}

/* --- steps, contacts and joints --- */

AbutStatus abut_step_many(const AbutModel *model, AbutState *state, AbutWorkspace *workspace, int steps, double *states,
                          int *taken, AbutStepInfo *info)
{
	if (!model || !state || !taken || !info || steps < 1) {
		return ABUT_ERROR_ARGUMENT;
	}
	*taken = 0;
	for (int i = 0; i < steps; i++) {
		const AbutStatus status = abut_step(model, state, workspace, info);
		if (status != ABUT_OK || info->outcome == ABUT_OUTCOME_FAILED) {
			return status;
		}
		*taken = i + 1;
		if (states) {
			abut_state_get_bodies(model, state,
			                      &states[(size_t)i * (size_t)model->n_bodies * ABUT_STATE_NUMBERS]);
		}
	}
	return ABUT_OK;
}

AbutStatus abut_contact_get_all(const AbutModel *model, const AbutWorkspace *workspace, AbutContact *out)
{
	const int n = abut_contact_count(workspace);
	if (!model || !workspace || workspace->model != model || (n > 0 && !out)) {
		return ABUT_ERROR_ARGUMENT;
	}
	for (int i = 0; i < n; i++) {
		abut_contact_get(model, workspace, i, &out[i]);
	}
	return ABUT_OK;
}

AbutStatus abut_joint_get_all(const AbutModel *model, const AbutState *state, AbutJointState *out)
{
	if (!model || !state || state->model != model || (model->joints.n > 0 && !out)) {
		return ABUT_ERROR_ARGUMENT;
	}
	for (int i = 0; i < model->joints.n; i++) {
		abut_joint_get(model, state, i, &out[i]);
	}
	return ABUT_OK;
}
