/* Compares the models and initial states of two scenes. */
#include "io/run/same.h"

#include <stdlib.h>

#include "abut/arrays.h"
#include "abut/snapshot.h"
#include "base/bits.h"
#include "base/error.h"
#include "io/text/file_text.h"

/* Compares the initial target of each motor. */
static AbutStatus compare_targets(const AbutModel *model, const AbutState *a, const AbutModel *other,
                                  const AbutState *b, AbutError *error)
{
	for (int i = 0; i < ABUT_JOINT_FREEDOMS * abut_model_joint_count(model); i++) {
		const int joint = i / ABUT_JOINT_FREEDOMS, axis = i % ABUT_JOINT_FREEDOMS;
		double target[2] = {0.0, 0.0};
		abut_state_get_motor(model, a, joint, axis, &target[0]);
		abut_state_get_motor(other, b, joint, axis, &target[1]);
		if (!abut_same_bits(&target[0], &target[1], 1)) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
			                      "the motor of '%s' starts with a different target than in the run",
			                      abut_model_joint_name(model, joint));
		}
	}
	return ABUT_OK;
}

/* Compares the initial motion and input of each body bit by bit. */
static AbutStatus compare_starts(const AbutModel *model, const AbutState *a, const AbutModel *other, const AbutState *b,
                                 AbutError *error)
{
	enum { NUMBERS = ABUT_STATE_NUMBERS + ABUT_INPUT_NUMBERS };
	const size_t n = (size_t)abut_model_body_count(model);
	double *const values = calloc(2 * n * NUMBERS, sizeof *values);
	if (!values) {
		return abut_fail_memory(error, "the comparison of two scenes");
	}
	double *const motion[2] = {values, values + n * ABUT_STATE_NUMBERS};
	double *const input[2] = {values + 2 * n * ABUT_STATE_NUMBERS,
	                          values + 2 * n * ABUT_STATE_NUMBERS + n * ABUT_INPUT_NUMBERS};
	const bool read = abut_state_get_bodies(model, a, motion[0]) == ABUT_OK &&
	                  abut_state_get_bodies(other, b, motion[1]) == ABUT_OK &&
	                  abut_state_get_inputs(model, a, input[0]) == ABUT_OK &&
	                  abut_state_get_inputs(other, b, input[1]) == ABUT_OK;
	AbutStatus status = read ? ABUT_OK : ABUT_ERROR_ARGUMENT;
	for (size_t i = 0; status == ABUT_OK && i < n; i++) {
		const size_t at = i * ABUT_STATE_NUMBERS, in = i * ABUT_INPUT_NUMBERS;
		const bool moves_alike = abut_same_bits(motion[0] + at, motion[1] + at, ABUT_STATE_NUMBERS);
		if (!moves_alike || !abut_same_bits(input[0] + in, input[1] + in, ABUT_INPUT_NUMBERS)) {
			status = abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
			                        "'%s' starts with a different %s than in the run",
			                        abut_model_body_name(model, (int)i), moves_alike ? "input" : "motion");
		}
	}
	free(values);
	return status == ABUT_OK ? compare_targets(model, a, other, b, error) : status;
}

AbutStatus abut_run_same(const AbutModel *a, const AbutModel *b, AbutError *error)
{
	AbutState *first = NULL, *second = NULL, *into = NULL;
	void *bytes = NULL;
	size_t size = 0;
	AbutStatus status = abut_state_create(a, &first, error);
	ABUT_THEN(status, abut_state_create(b, &second, error));
	ABUT_THEN(status, abut_state_create(b, &into, error));
	if (status == ABUT_OK) {
		size = abut_snapshot_size(a, first);
		bytes = malloc(size);
		status = bytes ? abut_snapshot_save(a, first, size, bytes, error)
		               : abut_fail_memory(error, "the comparison of two scenes");
	}
	ABUT_THEN(status, abut_snapshot_restore(b, into, size, bytes, error));
	ABUT_THEN(status, compare_starts(a, first, b, second, error));
	free(bytes);
	abut_state_destroy(first);
	abut_state_destroy(second);
	abut_state_destroy(into);
	return status;
}
