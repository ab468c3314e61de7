/* Reads, writes and applies the inputs of a run. */
#include "io/run/inputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abut/arrays.h"
#include "base/bits.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/hash.h"
#include "io/text/csv.h"
#include "io/text/csv_table.h"
#include "io/text/file_text.h"
#include "io/text/output_target.h"

static AbutStatus add_row(AbutInputs *inputs, long step, int body, const double force_torque[6], AbutError *error)
{
	if (!abut_grow(&inputs->rows, &inputs->capacity, inputs->n + 1, sizeof *inputs->rows)) {
		return abut_fail_memory(error, "the inputs");
	}
	AbutInputRow *row = &inputs->rows[inputs->n++];
	row->step = step;
	row->body = body;
	memcpy(row->force_torque, force_torque, sizeof row->force_torque);
	return ABUT_OK;
}

void abut_inputs_free(AbutInputs *inputs)
{
	free(inputs->rows);
	memset(inputs, 0, sizeof *inputs);
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
			status = add_row(out, 1, i, &all[6 * (size_t)i], error);
		}
	}
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
		hash = abut_hash_bytes(hash, row->force_torque, sizeof row->force_torque);
	}
	return hash;
}

/* --- the table --- */

AbutStatus abut_inputs_write(const AbutInputs *inputs, const AbutModel *model, const char *folder, AbutError *error)
{
	AbutTarget target = {NULL};
	AbutStatus status = abut_target_open(&target, folder, "inputs.csv", error);
	if (status == ABUT_OK) {
		fputs("step,body,force_x,force_y,force_z,torque_x,torque_y,torque_z\n", target.file);
	}
	for (int i = 0; status == ABUT_OK && i < inputs->n; i++) {
		const AbutInputRow *row = &inputs->rows[i];
		fprintf(target.file, "%ld,", row->step);
		abut_csv_write_text(target.file, abut_model_body_name(model, row->body));
		abut_csv_write_numbers(target.file, row->force_torque, 6);
		fputc('\n', target.file);
	}
	return abut_target_end_synced(&target, status, error);
}

bool abut_body_names(const AbutModel *model, AbutNames *names)
{
	const int n = abut_model_body_count(model);
	if (!abut_names_init(names, n)) {
		return false;
	}
	for (int i = 0; i < n; i++) {
		abut_names_add(names, abut_model_body_name(model, i), i);
	}
	abut_names_finish(names);
	return true;
}

/* What is needed to read a table. */
typedef struct Reading {
	AbutCsvTable table;
	bool by_time;
	const AbutModel *model;
	AbutState *scratch; /* tests whether an input is allowed */
	AbutNames names;
} Reading;

static AbutStatus open_table(Reading *reading, const char *path, AbutError *error)
{
	static const char *const by_step[] = {"step",     "force_x",  "force_y",  "force_z",
	                                      "torque_x", "torque_y", "torque_z", "body"};
	static const char *const by_time[] = {"time",     "force_x",  "force_y",  "force_z",
	                                      "torque_x", "torque_y", "torque_z", "body"};
	AbutError local = {0};
	error = error ? error : &local;
	AbutStatus status = abut_csv_table_open(&reading->table, NULL, path, 8, by_step, error);
	if (status == ABUT_ERROR_PARSE && strstr(error->message, "'step'")) {
		abut_csv_table_close(&reading->table);
		reading->by_time = true;
		status = abut_csv_table_open(&reading->table, NULL, path, 8, by_time, error);
		if (status == ABUT_ERROR_PARSE && strstr(error->message, "'time'")) {
			snprintf(error->message, sizeof error->message, "the table has no column 'step' or 'time'");
		}
	}
	return status;
}

/* Finds the step from which a row applies. For a time, this is the first step that begins at or after it, with a
 * tolerance of 1e-6 timesteps: with a timestep of 0.01 s, time 0.3 means step 31. */
static AbutStatus take_step(const Reading *reading, double value, long *step, AbutError *error)
{
	if (!reading->by_time) {
		if (!(value >= 1.0 && value <= 1e15 && value == floor(value))) {
			return abut_csv_table_fail(&reading->table, 0, "a whole number from 1 to 1e15", error);
		}
		*step = (long)value;
		return ABUT_OK;
	}
	const double steps = value / abut_model_timestep(reading->model);
	if (!(steps >= 0.0 && steps <= 1e15)) {
		return abut_csv_table_fail(&reading->table, 0, "a time from 0 to 1e15 steps, in s", error);
	}
	*step = (long)ceil(steps - 1e-6) + 1;
	return ABUT_OK;
}

/* Reports the first of the row's six numbers (force, torque) that is refused when all others are 0. If none is refused
 * alone, reports the body. */
static AbutStatus fail_input(const Reading *reading, int body, AbutError *error)
{
	static const double none[3] = {0.0};
	for (int i = 0; i < 6; i++) {
		double one[3] = {0.0};
		AbutStatus status = abut_csv_table_numbers(&reading->table, 1 + i, 1, one, error);
		ABUT_THEN(status, abut_state_set_input(reading->model, reading->scratch, body, one, none));
		if (status != ABUT_OK) {
			return abut_csv_table_fail(&reading->table, 1 + i,
			                           abut_model_body_is_static(reading->model, body)
			                               ? "0, as the body is static"
			                               : "a number within +-1e30",
			                           error);
		}
	}
	return abut_csv_table_fail(&reading->table, 7, "a body that takes this force and torque", error);
}

static AbutStatus take_row(Reading *reading, AbutInputs *out, AbutError *error)
{
	double numbers[7];
	long step = 0;
	ABUT_TRY(abut_csv_table_numbers(&reading->table, 0, 7, numbers, error));
	ABUT_TRY(take_step(reading, numbers[0], &step, error));
	const int body = abut_names_find(&reading->names, reading->table.fields[7]);
	if (body < 0) {
		return abut_csv_table_fail(&reading->table, 7, "a body of the scene", error);
	}
	if (abut_state_set_input(reading->model, reading->scratch, body, numbers + 1, numbers + 4) != ABUT_OK) {
		return fail_input(reading, body, error);
	}
	if (out->n > 0 && step < out->rows[out->n - 1].step) {
		return abut_csv_table_fail(&reading->table, 0, "at least that of the row above", error);
	}
	return add_row(out, step, body, numbers + 1, error);
}

AbutStatus abut_inputs_read(const char *path, const AbutModel *model, AbutInputs *out, AbutError *error)
{
	Reading reading = {.model = model};
	bool more = true;
	*out = (AbutInputs){0};
	AbutStatus status = abut_body_names(model, &reading.names) ? ABUT_OK : abut_fail_memory(error, "the inputs");
	ABUT_THEN(status, abut_state_create(model, &reading.scratch, error));
	ABUT_THEN(status, open_table(&reading, path, error));
	while (status == ABUT_OK && more) {
		status = abut_csv_table_next(&reading.table, &more, error);
		if (status == ABUT_OK && more) {
			status = take_row(&reading, out, error);
		}
	}
	abut_csv_table_close(&reading.table);
	abut_names_free(&reading.names);
	abut_state_destroy(reading.scratch);
	if (status != ABUT_OK) {
		abut_inputs_free(out);
	}
	return status;
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

AbutStatus abut_inputs_drive(void *context, const AbutModel *model, AbutState *state, long step, AbutError *error)
{
	AbutInputs *inputs = context;
	AbutStatus status = inputs->step == 0 ? clear(model, state, error) : ABUT_OK;
	inputs->step = step;
	while (status == ABUT_OK && inputs->next < inputs->n && inputs->rows[inputs->next].step <= step) {
		const AbutInputRow *row = &inputs->rows[inputs->next++];
		status = abut_state_set_input(model, state, row->body, row->force_torque, row->force_torque + 3);
		if (status != ABUT_OK) {
			abut_error_set(error, status, NULL, "the input of '%s' at step %ld is not possible",
			               abut_model_body_name(model, row->body), step);
		}
	}
	return status;
}
