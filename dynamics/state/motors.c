/* Sets and reads the targets of motors. They are inputs of the next steps, in SI. Tested in
 * tests/dynamics/joint/test_motors.c. */
#include "dynamics/state/motors.h"

#include <stdio.h>
#include <string.h>

#include "abut/arrays.h"
#include "base/error.h"
#include "dynamics/model/check.h"
#include "dynamics/model/joint.h"
#include "dynamics/state/state.h"

bool abut_state_target_possible(const AbutModel *model, int joint, int axis, double target)
{
	const AbutJoint *of = &model->joints.at[joint];
	const bool motor = axis < of->kind->n_freedoms && of->law[axis].target_unit > 0.0;
	return abut_joint_value_possible(target) && (motor || target == 0.0);
}

/* Returns the place of a motor's target in the state; NULL if there is no such motor. */
static double *find(const AbutModel *model, const AbutState *state, int joint, int axis)
{
	if (!model || !state || state->model != model || joint < 0 || joint >= model->joints.n || axis < 0 ||
	    axis >= model->joints.at[joint].kind->n_freedoms || model->joints.at[joint].law[axis].target_unit == 0.0) {
		return NULL;
	}
	return &state->targets[ABUT_JOINT_FREEDOMS * joint + axis];
}

AbutStatus abut_state_set_motor(const AbutModel *model, AbutState *state, int joint, int axis, double target)
{
	double *const own = find(model, state, joint, axis);
	if (!own || !abut_state_target_possible(model, joint, axis, target)) {
		return ABUT_ERROR_ARGUMENT;
	}
	*own = target;
	return ABUT_OK;
}

AbutStatus abut_state_get_motor(const AbutModel *model, const AbutState *state, int joint, int axis, double *out)
{
	const double *const own = find(model, state, joint, axis);
	if (!own || !out) {
		return ABUT_ERROR_ARGUMENT;
	}
	*out = *own;
	return ABUT_OK;
}

AbutStatus abut_state_get_motors(const AbutModel *model, const AbutState *state, double *out)
{
	if (!model || !state || !out || state->model != model) {
		return ABUT_ERROR_ARGUMENT;
	}
	memcpy(out, state->targets, (size_t)model->joints.n * ABUT_JOINT_FREEDOMS * sizeof *out);
	return ABUT_OK;
}

AbutStatus abut_state_set_motors(const AbutModel *model, AbutState *state, const double *targets, AbutError *error)
{
	if (!model || !state || !targets || state->model != model) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "nothing may be NULL, and the state is the model's");
	}
	for (int i = 0; i < ABUT_JOINT_FREEDOMS * model->joints.n; i++) {
		const int joint = i / ABUT_JOINT_FREEDOMS, axis = i % ABUT_JOINT_FREEDOMS;
		char where[64];
		if (!abut_state_target_possible(model, joint, axis, targets[i])) {
			snprintf(where, sizeof where, "joints[%d].target[%d]", joint, axis);
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, where,
			                      "the target of axis %d of joint '%s' is %g; it must be 0 or of a "
			                      "magnitude in 1e-30 to 1e30, and 0 for a freedom without a motor",
			                      axis, model->joints.at[joint].name, targets[i]);
		}
	}
	memcpy(state->targets, targets, (size_t)model->joints.n * ABUT_JOINT_FREEDOMS * sizeof *targets);
	return ABUT_OK;
}
