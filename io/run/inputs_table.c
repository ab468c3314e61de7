/* Reads and writes tables of inputs. */
#include "io/run/inputs_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/run/model_names.h"
#include "io/text/csv.h"
#include "io/text/csv_table.h"
#include "io/text/file_text.h"
#include "io/text/output_target.h"
#include "io/text/words.h"

/* Columns of a table, in any order. */
enum { STEP, TIME, FORCE, BODY = FORCE + 6, JOINT, AXIS, TARGET, COLUMNS };

static bool has_motors(const AbutInputs *inputs)
{
	for (int i = 0; i < inputs->n; i++) {
		if (inputs->rows[i].body < 0) {
			return true;
		}
	}
	return false;
}

static void write_row(FILE *file, const AbutModel *model, const AbutInputRow *row, bool motors)
{
	fprintf(file, "%ld,", row->step);
	if (row->body >= 0) {
		abut_csv_write_text(file, abut_model_body_name(model, row->body));
		abut_csv_write_numbers(file, row->force_torque, 6);
		fputs(motors ? ",,,\n" : "\n", file);
		return;
	}
	fputs(",,,,,,,", file);
	abut_csv_write_text(file, abut_model_joint_name(model, row->joint));
	fprintf(file, ",%d", row->axis);
	abut_csv_write_numbers(file, &row->target, 1);
	fputc('\n', file);
}

AbutStatus abut_inputs_write(const AbutInputs *inputs, const AbutModel *model, const char *folder, AbutError *error)
{
	const bool motors = has_motors(inputs);
	AbutTarget target = {NULL};
	AbutStatus status = abut_target_open(&target, folder, "inputs.csv", error);
	if (status == ABUT_OK) {
		fprintf(target.file, "step,body,force_x,force_y,force_z,torque_x,torque_y,torque_z%s\n",
		        motors ? ",joint,axis,target" : "");
	}
	for (int i = 0; status == ABUT_OK && i < inputs->n; i++) {
		write_row(target.file, model, &inputs->rows[i], motors);
	}
	return abut_target_end_synced(&target, status, error);
}

/* What is needed to read a table. */
typedef struct Reading {
	AbutCsvTable table;
	int when; /* STEP or TIME */
	const AbutModel *model;
	AbutState *scratch;      /* tests whether an input is allowed */
	AbutNames names, joints; /* of bodies and joints */
	double value;            /* step or time of the last row */
	int first;               /* first of the rows with this value */
} Reading;

static AbutStatus open_table(Reading *reading, const char *path, AbutError *error)
{
	static const char *const columns[COLUMNS] = {"step",    "time",     "force_x",  "force_y",
	                                             "force_z", "torque_x", "torque_y", "torque_z",
	                                             "body",    "joint",    "axis",     "target"};
	AbutCsvTable *table = &reading->table;
	ABUT_TRY(abut_csv_table_open_any(table, path, COLUMNS, columns, error));
	ABUT_TRY(abut_csv_table_require_one(table, STEP, TIME, error));
	reading->when = abut_csv_table_has(table, STEP) ? STEP : TIME;
	const bool motors = abut_csv_table_has(table, JOINT);
	if (motors) {
		ABUT_TRY(abut_csv_table_require(table, TARGET, 1, error));
	}
	return motors && !abut_csv_table_has(table, BODY) ? ABUT_OK : abut_csv_table_require(table, FORCE, 7, error);
}

/* Finds the step from which a row applies. For a time, this is the first step that begins at or after it, with a
 * tolerance of 1e-6 timesteps: with a timestep of 0.01 s, time 0.3 means step 31. */
static AbutStatus take_step(const Reading *reading, double value, long *step, AbutError *error)
{
	if (reading->when == STEP) {
		if (!(value >= 1.0 && value <= 1e15 && value == floor(value))) {
			return abut_csv_table_fail(&reading->table, STEP, "a whole number from 1 to 1e15", error);
		}
		*step = (long)value;
		return ABUT_OK;
	}
	const double steps = value / abut_model_timestep(reading->model);
	if (!(steps >= 0.0 && steps <= 1e15)) {
		return abut_csv_table_fail(&reading->table, TIME, "a time from 0 to 1e15 steps, in s", error);
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
		AbutStatus status = abut_csv_table_numbers(&reading->table, FORCE + i, 1, one, error);
		ABUT_THEN(status, abut_state_set_input(reading->model, reading->scratch, body, one, none));
		if (status != ABUT_OK) {
			return abut_csv_table_fail(&reading->table, FORCE + i,
			                           abut_model_body_is_static(reading->model, body)
			                               ? "0, as the body is static"
			                               : "a number within +-1e30",
			                           error);
		}
	}
	return abut_csv_table_fail(&reading->table, BODY, "a body that takes this force and torque", error);
}

/* Refuses entries in columns that another kind of row uses. */
static AbutStatus check_empty(const AbutCsvTable *table, int first, int last, const char *allowed, AbutError *error)
{
	for (int i = first; i <= last; i++) {
		if (abut_csv_table_has(table, i) && table->fields[i][0]) {
			return abut_csv_table_fail(table, i, allowed, error);
		}
	}
	return ABUT_OK;
}

/* Refuses a name that the scene does not have; lists those that it has. */
static AbutStatus fail_name(const AbutCsvTable *table, int column, const char *what, const AbutNames *known,
                            AbutError *error)
{
	enum { MAX_LISTED = 64 };
	const char *names[MAX_LISTED] = {NULL};
	char list[160], allowed[192];
	const int n = known->count < MAX_LISTED ? known->count : MAX_LISTED;
	for (int i = 0; i < n; i++) {
		names[i] = known->entries[i].name;
	}
	snprintf(allowed, sizeof allowed, "%s of the scene%s%s", what, n > 0 ? ": " : ", which has none",
	         abut_text_join(names, n, list, sizeof list));
	return abut_csv_table_fail(table, column, allowed, error);
}

static AbutStatus take_body(const Reading *reading, AbutInputRow *row, AbutError *error)
{
	const AbutCsvTable *table = &reading->table;
	ABUT_TRY(check_empty(table, AXIS, TARGET, "empty in the row of a body", error));
	ABUT_TRY(abut_csv_table_numbers(table, FORCE, 6, row->force_torque, error));
	row->body = abut_names_find(&reading->names, table->fields[BODY]);
	if (row->body < 0) {
		return fail_name(table, BODY, "a body", &reading->names, error);
	}
	return abut_inputs_apply(row, reading->model, reading->scratch) == ABUT_OK
	           ? ABUT_OK
	           : fail_input(reading, row->body, error);
}

static AbutStatus take_motor(const Reading *reading, AbutInputRow *row, AbutError *error)
{
	const AbutCsvTable *table = &reading->table;
	double own;
	row->body = -1;
	ABUT_TRY(check_empty(table, FORCE, BODY, "empty in the row of a joint", error));
	row->joint = abut_names_find(&reading->joints, table->fields[JOINT]);
	if (row->joint < 0) {
		return fail_name(table, JOINT, "a joint", &reading->joints, error);
	}
	if (abut_csv_table_has(table, AXIS) && table->fields[AXIS][0]) {
		ABUT_TRY(abut_csv_table_integer(table, AXIS, &row->axis, error));
	}
	ABUT_TRY(abut_csv_table_numbers(table, TARGET, 1, &row->target, error));
	if (abut_state_get_motor(reading->model, reading->scratch, row->joint, row->axis, &own) != ABUT_OK) {
		return abut_csv_table_fail(table, row->axis > 0 ? AXIS : JOINT, "a freedom with a motor", error);
	}
	return abut_inputs_apply(row, reading->model, reading->scratch) == ABUT_OK
	           ? ABUT_OK
	           : abut_csv_table_fail(table, TARGET, "0 or of a magnitude within 1e-30 to 1e30", error);
}

/* Refuses a second row of a body or motor at the same step or time. Of several times in one step, the last one counts:
 * the row before is removed. */
static AbutStatus replace_row(Reading *reading, const AbutInputRow *row, double value, AbutInputs *out,
                              AbutError *error)
{
	if (value != reading->value) {
		reading->value = value;
		reading->first = out->n;
	}
	for (int i = out->n - 1; i >= 0 && out->rows[i].step == row->step; i--) {
		const AbutInputRow *other = &out->rows[i];
		if (other->body != row->body || other->joint != row->joint || other->axis != row->axis) {
			continue;
		}
		if (i >= reading->first) {
			return abut_csv_table_fail(&reading->table, reading->when,
			                           "given once for each body and motor; a row above has the same",
			                           error);
		}
		memmove(&out->rows[i], &out->rows[i + 1], (size_t)(out->n - i - 1) * sizeof *out->rows);
		out->n--;
		reading->first--;
	}
	return ABUT_OK;
}

static AbutStatus take_row(Reading *reading, AbutInputs *out, AbutError *error)
{
	const AbutCsvTable *table = &reading->table;
	const bool motor = abut_csv_table_has(table, JOINT) && table->fields[JOINT][0];
	AbutInputRow row = {.step = 0};
	double step;
	ABUT_TRY(abut_csv_table_numbers(table, reading->when, 1, &step, error));
	if (!motor && !abut_csv_table_has(table, BODY)) {
		return fail_name(table, JOINT, "a joint", &reading->joints, error);
	}
	ABUT_TRY(motor ? take_motor(reading, &row, error) : take_body(reading, &row, error));
	ABUT_TRY(take_step(reading, step, &row.step, error));
	if (out->n > 0 && row.step < out->rows[out->n - 1].step) {
		return abut_csv_table_fail(table, reading->when, "at least that of the row above", error);
	}
	ABUT_TRY(replace_row(reading, &row, step, out, error));
	return abut_inputs_add(out, &row, error);
}

AbutStatus abut_inputs_read(const char *path, const AbutModel *model, AbutInputs *out, AbutError *error)
{
	Reading reading = {.model = model, .value = -1.0};
	bool more = true;
	*out = (AbutInputs){0};
	const bool named = abut_body_names(model, &reading.names) && abut_joint_names(model, &reading.joints);
	AbutStatus status = named ? ABUT_OK : abut_fail_memory(error, "the inputs");
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
	abut_names_free(&reading.joints);
	abut_state_destroy(reading.scratch);
	if (status != ABUT_OK) {
		abut_inputs_free(out);
	}
	return status;
}
