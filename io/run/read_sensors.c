/* Reads sensors.csv of a run into an array over frames and values. Tested in tests/cli/run/sensors.c. */
#include "io/run/read_sensors.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abut/arrays.h"
#include "base/error.h"
#include "io/run/model_names.h"
#include "io/text/csv_table.h"
#include "io/text/file_text.h"
#include "io/text/names.h"

enum { TIME, VALUE, SENSOR, CHANNEL, COLUMNS };

static const char *const columns[COLUMNS] = {"time", "value", "sensor", "channel"};

static AbutStatus fail_memory(const char *folder, AbutError *error)
{
	return abut_file_fail(error, folder, ABUT_ERROR_MEMORY, "out of memory reading the run");
}

/* Returns the place of a value among those of all sensors; -1 if the model has no such sensor or channel. */
static int find_value(const AbutModel *model, const AbutNames *names, const char *sensor, const char *channel)
{
	const int index = abut_names_find(names, sensor);
	for (int k = 0; k < abut_model_sensor_channels(model, index); k++) {
		if (strcmp(abut_model_sensor_channel(model, index, k), channel) == 0) {
			return abut_model_sensor_first(model, index) + k;
		}
	}
	return -1;
}

static AbutStatus read_rows(AbutCsvTable *table, AbutRunRecord *record, const AbutNames *names, AbutError *error)
{
	bool more = true;
	long frame = 0;
	for (;;) {
		double numbers[2];
		ABUT_TRY(abut_csv_table_next(table, &more, error));
		if (!more) {
			return ABUT_OK;
		}
		ABUT_TRY(abut_csv_table_numbers(table, TIME, 2, numbers, error));
		const int value = find_value(record->model, names, table->fields[SENSOR], table->fields[CHANNEL]);
		if (value < 0) {
			const bool known = abut_names_find(names, table->fields[SENSOR]) >= 0;
			return abut_csv_table_fail(table, known ? CHANNEL : SENSOR,
			                           known ? "a channel of its sensor" : "a sensor of scene.json", error);
		}
		while (frame < record->n_frames && record->times[frame] != numbers[TIME]) {
			frame++;
		}
		if (frame == record->n_frames) {
			return abut_csv_table_fail(table, TIME, "a time of trajectory.csv, in its order", error);
		}
		record->sensors[frame * record->n_values + value] = numbers[VALUE];
	}
}

/* Sets the values of frame 0 to those of the initial state. */
static AbutStatus read_start(const AbutRunRecord *record, AbutError *error)
{
	AbutState *state = NULL;
	AbutStatus status = abut_state_create(record->model, &state, error);
	ABUT_THEN(status, abut_sensor_get_all(record->model, state, record->sensors));
	abut_state_destroy(state);
	return status;
}

static AbutStatus read_table(const char *folder, AbutRunRecord *record, AbutError *error)
{
	AbutCsvTable table = {0};
	AbutNames names = {0};
	AbutStatus status = abut_sensor_names(record->model, &names) ? ABUT_OK : fail_memory(folder, error);
	ABUT_THEN(status, abut_csv_table_open(&table, folder, "sensors.csv", COLUMNS, columns, error));
	ABUT_THEN(status, read_rows(&table, record, &names, error));
	abut_csv_table_close(&table);
	abut_names_free(&names);
	return status;
}

AbutStatus abut_run_read_sensors(const char *folder, AbutRunRecord *record, AbutError *error)
{
	record->n_values = abut_model_sensor_values(record->model);
	char *const path = abut_path_join(folder, "sensors.csv");
	const bool exists = path && access(path, F_OK) == 0;
	free(path);
	if (record->n_values == 0 || !exists) {
		return path ? ABUT_OK : fail_memory(folder, error);
	}
	record->sensors = calloc((size_t)record->n_frames * (size_t)record->n_values, sizeof *record->sensors);
	if (!record->sensors) {
		return fail_memory(folder, error);
	}
	ABUT_TRY(read_start(record, error));
	return read_table(folder, record, error);
}
