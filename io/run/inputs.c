/* Collects the inputs of a run, and applies them. */
#include "io/run/inputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abut/arrays.h"
#include "base/bits.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/hash.h"
#include "io/text/file_text.h"

AbutStatus abut_inputs_add(AbutInputs *inputs, const AbutInputRow *row, AbutError *error)
{
	if (!abut_grow(&inputs->rows, &inputs->capacity, inputs->n + 1, sizeof *inputs->rows)) {
		return abut_fail_memory(error, "the inputs");
	}
	inputs->rows[inputs->n++] = *row;
	return ABUT_OK;
}

void abut_inputs_free(AbutInputs *inputs)
{
	free(inputs->rows);
	memset(inputs, 0, sizeof *inputs);
}

/* Adds rows for step 1 with the targets of all motors. */
static AbutStatus add_motors(const AbutModel *model, const AbutState *state, AbutInputs *out, AbutError *error)
{
	for (int i = 0; i < ABUT_JOINT_FREEDOMS * abut_model_joint_count(model); i++) {
		AbutInputRow row = {
		    .step = 1, .body = -1, .joint = i / ABUT_JOINT_FREEDOMS, .axis = i % ABUT_JOINT_FREEDOMS};
		if (abut_state_get_motor(model, state, row.joint, row.axis, &row.target) == ABUT_OK) {
			ABUT_TRY(abut_inputs_add(out, &row, error));
		}
	}
	return ABUT_OK;
}

AbutStatus abut_inputs_of_state(const AbutModel *model, const AbutState *state, AbutInputs *out, AbutError *error)
{
	static const double none[6] = {0.0};
	const int n = abut_model_body_count(model);
	double *const all = malloc((size_t)n * sizeof none);
	*out = (AbutInputs){0};
	if (!all) {
		return abut_fail_memory(error, "the inputs");
	}
	AbutStatus status = abut_state_get_inputs(model, state, all);
	for (int i = 0; status == ABUT_OK && i < n; i++) {
		/* Compares bits, so that an input of -0 gets a row. */
		if (!abut_same_bits(&all[6 * (size_t)i], none, 6)) {
			AbutInputRow row = {.step = 1, .body = i};
			memcpy(row.force_torque, &all[6 * (size_t)i], sizeof row.force_torque);
			status = abut_inputs_add(out, &row, error);
		}
	}
	ABUT_THEN(status, add_motors(model, state, out, error));
	free(all);
	return status;
}

uint64_t abut_inputs_digest(const AbutInputs *inputs)
{
	uint64_t hash = ABUT_HASH_START;
	for (int i = 0; i < inputs->n; i++) {
		const AbutInputRow *row = &inputs->rows[i];
		hash = abut_hash_bytes(hash, &row->step, sizeof row->step);
		hash = abut_hash_bytes(hash, &row->body, sizeof row->body);
		if (row->body >= 0) {
			hash = abut_hash_bytes(hash, row->force_torque, sizeof row->force_torque);
			continue;
		}
		hash = abut_hash_bytes(hash, &row->joint, sizeof row->joint);
		hash = abut_hash_bytes(hash, &row->axis, sizeof row->axis);
		hash = abut_hash_bytes(hash, &row->target, sizeof row->target);
	}
	return hash;
}

double abut_inputs_limit(const AbutInputRow *row, const AbutSceneDef *def)
{
	const AbutJointDef *joint = row->body < 0 ? &def->joints[row->joint] : NULL;
	const AbutMotorDef *motor = joint ? &joint->axes[joint->type == ABUT_JOINT_BALL ? 0 : row->axis].motor : NULL;
	return motor && motor->type == ABUT_MOTOR_FORCE ? motor->limit : (double)INFINITY;
}

AbutInputDoubts abut_inputs_doubt(const AbutInputs *inputs, const AbutSceneDef *def, long steps)
{
	AbutInputDoubts doubts = {.n_late = 0};
	for (int i = inputs->n - 1; i >= 0; i--) {
		const AbutInputRow *row = &inputs->rows[i];
		if (row->step > steps) {
			doubts.n_late++;
			doubts.late = row->step;
		}
		if (fabs(row->target) > abut_inputs_limit(row, def)) {
			doubts.n_clamped++;
			doubts.clamped = i;
		}
	}
	return doubts;
}

/* --- in a run --- */

static AbutStatus clear(const AbutModel *model, AbutState *state, AbutError *error)
{
	static const double none[3] = {0.0};
	for (int i = 0; i < abut_model_body_count(model); i++) {
		const AbutStatus status = abut_state_set_input(model, state, i, none, none);
		if (status != ABUT_OK) {
			return abut_error_set(error, status, NULL, "the input of '%s' cannot be set to 0",
			                      abut_model_body_name(model, i));
		}
	}
	return ABUT_OK;
}

AbutStatus abut_inputs_apply(const AbutInputRow *row, const AbutModel *model, AbutState *state)
{
	return row->body >= 0 ? abut_state_set_input(model, state, row->body, row->force_torque, row->force_torque + 3)
	                      : abut_state_set_motor(model, state, row->joint, row->axis, row->target);
}

AbutStatus abut_inputs_drive(void *context, const AbutModel *model, AbutState *state, long step, AbutError *error)
{
	AbutInputs *inputs = context;
	AbutStatus status = inputs->step == 0 ? clear(model, state, error) : ABUT_OK;
	inputs->step = step;
	while (status == ABUT_OK && inputs->next < inputs->n && inputs->rows[inputs->next].step <= step) {
		const AbutInputRow *row = &inputs->rows[inputs->next++];
		status = abut_inputs_apply(row, model, state);
		if (status != ABUT_OK) {
			abut_error_set(error, status, NULL, "the input of '%s' at step %ld is not possible",
			               row->body >= 0 ? abut_model_body_name(model, row->body)
			                              : abut_model_joint_name(model, row->joint),
			               step);
		}
	}
	return status;
}
