/* Fuzzes tables of inputs, and applies them to a few steps. */
#include "fuzz.h"
#include "io/run/inputs_table.h"

enum { STEPS = 3 };

void fuzz_inputs(const uint8_t *data, size_t size)
{
	static AbutModel *model;
	AbutInputs inputs = {0};
	AbutError error = {0};
	model = model ? model : fuzz_model(fuzz_scene_text);
	if (fuzz_result(abut_inputs_read(fuzz_write("table.csv", data, size), model, &inputs, &error), &error)) {
		AbutState *state = NULL;
		FUZZ_CHECK(abut_state_create(model, &state, &error) == ABUT_OK);
		for (long step = 1; step <= STEPS; step++) {
			fuzz_result(abut_inputs_drive(&inputs, model, state, step, &error), &error);
		}
		FUZZ_CHECK(abut_inputs_digest(&inputs) != 0);
		abut_state_destroy(state);
	}
	abut_inputs_free(&inputs);
}
