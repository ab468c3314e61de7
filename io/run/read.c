/* Reads the folder of a run into arrays. */
#include "io/run/read.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "io/json/source.h"
#include "io/run/model_names.h"
#include "io/run/read_joints.h"
#include "io/run/read_sensors.h"
#include "io/text/csv_table.h"
#include "io/text/file_text.h"

/* State of reading one folder. */
typedef struct Reading {
	const char *folder;
	AbutRunRecord *record;
	AbutCsvTable table; /* the table being read */
	int n, capacity;    /* elements of the growing array, and its capacity */
	int times_capacity; /* capacity of `record->times` */
	long frame;         /* frame of the current row of contacts.csv */
	AbutNames names;    /* names of bodies */
	AbutError *error;
} Reading;

static AbutStatus fail_memory(const Reading *reading)
{
	return abut_file_fail(reading->error, reading->folder, ABUT_ERROR_MEMORY, "out of memory reading the run");
}

/* --- scene.json and summary.json --- */

static AbutStatus read_scene(Reading *reading)
{
	AbutRunRecord *record = reading->record;
	char *const path = abut_path_join(reading->folder, "scene.json");
	if (!path) {
		return fail_memory(reading);
	}
	AbutStatus status = abut_scene_load(path, 0, NULL, &record->scene, reading->error);
	free(path);
	if (status == ABUT_OK) {
		status = abut_model_create(abut_scene_def(record->scene), &record->model, reading->error);
		if (status != ABUT_OK) {
			abut_scene_locate(record->scene, reading->error);
		}
	}
	AbutState *state = NULL;
	ABUT_THEN(status, abut_state_create(record->model, &state, reading->error));
	if (status == ABUT_OK) {
		record->start = abut_run_totals(record->model, state);
		record->n_bodies = abut_model_body_count(record->model);
	}
	abut_state_destroy(state);
	return status;
}

static AbutStatus read_summary(Reading *reading)
{
	AbutSource source = {0};
	char *const path = abut_path_join(reading->folder, "summary.json");
	const AbutStatus status =
	    path ? abut_source_load(&source, path, "summary", SIZE_MAX / 4, &reading->record->summary, reading->error)
	         : fail_memory(reading);
	free(path);
	abut_source_free(&source);
	return status;
}

/* --- the tables --- */

/* Makes room for one more element of the growing array. */
static AbutStatus grow(Reading *reading, void *array, size_t size)
{
	const bool has_room = reading->n < INT_MAX && abut_grow(array, &reading->capacity, reading->n + 1, size);
	return has_room ? ABUT_OK : fail_memory(reading);
}

/* Reads the table `name` with `n` columns and passes each row to `take`. */
static AbutStatus read_rows(Reading *reading, const char *name, int n, const char *const *columns,
                            AbutStatus (*take)(Reading *reading))
{
	bool more = true;
	AbutStatus status = abut_csv_table_open(&reading->table, reading->folder, name, n, columns, reading->error);
	while (status == ABUT_OK && more) {
		status = abut_csv_table_next(&reading->table, &more, reading->error);
		if (status == ABUT_OK && more) {
			status = take(reading);
		}
	}
	return status;
}

/* Reads the current row of trajectory.csv: body `reading->n` mod `n_bodies` of its frame. */
static AbutStatus take_body(Reading *reading)
{
	AbutRunRecord *record = reading->record;
	const AbutCsvTable *table = &reading->table;
	const int body = reading->n % record->n_bodies;
	const long frame = reading->n / record->n_bodies;
	double numbers[14];
	ABUT_TRY(grow(reading, &record->bodies, sizeof *record->bodies));
	if (!abut_grow(&record->times, &reading->times_capacity, (int)frame + 1, sizeof *record->times)) {
		return fail_memory(reading);
	}
	if (strcmp(table->fields[14], abut_model_body_name(record->model, body)) != 0) {
		return abut_csv_table_fail(table, 14, "the next body of scene.json", reading->error);
	}
	ABUT_TRY(abut_csv_table_numbers(table, 0, 14, numbers, reading->error));
	if (body == 0) {
		record->times[frame] = numbers[0];
		record->n_frames = frame + 1;
	} else if (record->times[frame] != numbers[0]) {
		return abut_csv_table_fail(table, 0, "the time of the row before it", reading->error);
	}
	AbutBodyState *at = &record->bodies[reading->n++];
	memcpy(at->position, numbers + 1, sizeof at->position);
	memcpy(at->orientation, numbers + 4, sizeof at->orientation);
	memcpy(at->linear_velocity, numbers + 8, sizeof at->linear_velocity);
	memcpy(at->angular_velocity, numbers + 11, sizeof at->angular_velocity);
	return ABUT_OK;
}

static AbutStatus read_trajectory(Reading *reading)
{
	static const char *const columns[] = {"time", "px", "py", "pz", "qw", "qx", "qy",  "qz",
	                                      "vx",   "vy", "vz", "wx", "wy", "wz", "body"};
	AbutStatus status = read_rows(reading, "trajectory.csv", 15, columns, take_body);
	if (status == ABUT_OK && (reading->n == 0 || reading->n % reading->record->n_bodies != 0)) {
		status = abut_file_fail(reading->error, reading->table.path, ABUT_ERROR_PARSE,
		                        "the table must end with a row for each of the %d bodies of scene.json",
		                        reading->record->n_bodies);
	}
	return status;
}

static AbutStatus take_step(Reading *reading)
{
	AbutRunRecord *record = reading->record;
	const AbutCsvTable *table = &reading->table;
	ABUT_TRY(grow(reading, &record->steps, sizeof *record->steps));
	AbutRunStep *step = &record->steps[reading->n++];
	double numbers[9];
	int integers[7];
	ABUT_TRY(abut_csv_table_numbers(table, 0, 9, numbers, reading->error));
	for (int i = 0; i < 7; i++) {
		ABUT_TRY(abut_csv_table_integer(table, 9 + i, &integers[i], reading->error));
	}
	*step = (AbutRunStep){
	    .time = numbers[0],
	    .outcome = ABUT_OUTCOME_COUNT,
	    .exact = integers[0],
	    .retried = integers[1],
	    .halvings = integers[2],
	    .tries = integers[3],
	    .iterations = integers[4],
	    .finish_iterations = integers[5],
	    .active_contacts = integers[6],
	    .kappa = numbers[1],
	    .residual = numbers[2],
	    .complementarity = numbers[3],
	    .max_penetration = numbers[4],
	    .totals = {numbers[5], {numbers[6], numbers[7], numbers[8]}},
	};
	for (int i = 0; i < ABUT_OUTCOME_COUNT; i++) {
		if (strcmp(table->fields[16], abut_outcome_name((AbutOutcome)i)) == 0) {
			step->outcome = (AbutOutcome)i;
		}
	}
	record->n_steps = reading->n;
	return step->outcome != ABUT_OUTCOME_COUNT
	           ? ABUT_OK
	           : abut_csv_table_fail(table, 16, "exact, relaxed, raised-kappa or failed", reading->error);
}

static AbutStatus read_steps(Reading *reading)
{
	static const char *const columns[] = {
	    "time",       "kappa",      "residual",          "complementarity", "max_penetration", "energy",
	    "momentum_x", "momentum_y", "momentum_z",        "exact",           "retried",         "halvings",
	    "tries",      "iterations", "finish_iterations", "active_contacts", "outcome"};
	AbutStatus status = read_rows(reading, "steps.csv", 17, columns, take_step);
	const long extra = reading->record->n_steps - reading->record->n_frames;
	if (status == ABUT_OK && extra != -1 && extra != 0) {
		status = abut_file_fail(
		    reading->error, reading->table.path, ABUT_ERROR_PARSE,
		    "the table has %ld steps, and trajectory.csv %ld states; there must be as many states as "
		    "steps, or one more",
		    reading->record->n_steps, reading->record->n_frames);
	}
	return status;
}

static AbutStatus take_body_index(const Reading *reading, int column, int *out)
{
	*out = abut_names_find(&reading->names, reading->table.fields[column]);
	return *out >= 0 ? ABUT_OK
	                 : abut_csv_table_fail(&reading->table, column, "a body of scene.json", reading->error);
}

/* Reads the current row of contacts.csv. Moves on to a later frame if the row has a later time. */
static AbutStatus take_contact(Reading *reading)
{
	AbutRunRecord *record = reading->record;
	const AbutCsvTable *table = &reading->table;
	ABUT_TRY(grow(reading, &record->contacts, sizeof *record->contacts));
	AbutContact contact = {0};
	double numbers[13];
	ABUT_TRY(abut_csv_table_numbers(table, 0, 13, numbers, reading->error));
	ABUT_TRY(abut_csv_table_integer(table, 13, &contact.part_a, reading->error));
	ABUT_TRY(abut_csv_table_integer(table, 14, &contact.part_b, reading->error));
	ABUT_TRY(take_body_index(reading, 15, &contact.body_a));
	ABUT_TRY(take_body_index(reading, 16, &contact.body_b));
	const AbutBodyDef *bodies = abut_scene_def(record->scene)->bodies;
	if (contact.part_a >= bodies[contact.body_a].n_parts || contact.part_b >= bodies[contact.body_b].n_parts) {
		return abut_csv_table_fail(table, contact.part_a >= bodies[contact.body_a].n_parts ? 13 : 14,
		                           "a part of that body", reading->error);
	}
	while (reading->frame < record->n_frames && record->times[reading->frame] != numbers[0]) {
		record->first_contact[++reading->frame] = reading->n;
	}
	if (reading->frame == record->n_frames) {
		return abut_csv_table_fail(table, 0, "a time of trajectory.csv, in its order", reading->error);
	}
	contact.scaling = numbers[1];
	contact.gap = numbers[2];
	memcpy(contact.point, numbers + 3, sizeof contact.point);
	memcpy(contact.normal, numbers + 6, sizeof contact.normal);
	contact.normal_impulse = numbers[9];
	memcpy(contact.friction_impulse, numbers + 10, sizeof contact.friction_impulse);
	record->contacts[reading->n++] = contact;
	return ABUT_OK;
}

static AbutStatus read_contact_rows(Reading *reading)
{
	static const char *const columns[] = {"time",
	                                      "scaling",
	                                      "gap",
	                                      "px",
	                                      "py",
	                                      "pz",
	                                      "nx",
	                                      "ny",
	                                      "nz",
	                                      "normal_impulse",
	                                      "friction_impulse_x",
	                                      "friction_impulse_y",
	                                      "friction_impulse_z",
	                                      "part_a",
	                                      "part_b",
	                                      "body_a",
	                                      "body_b"};
	AbutStatus status = read_rows(reading, "contacts.csv", 17, columns, take_contact);
	while (status == ABUT_OK && reading->frame < reading->record->n_frames) {
		reading->record->first_contact[++reading->frame] = reading->n;
	}
	return status;
}

static AbutStatus read_contacts(Reading *reading)
{
	AbutRunRecord *record = reading->record;
	record->first_contact = calloc((size_t)record->n_frames + 1, sizeof *record->first_contact);
	if (!record->first_contact || !abut_body_names(record->model, &reading->names)) {
		return fail_memory(reading);
	}
	const AbutStatus status = read_contact_rows(reading);
	abut_names_free(&reading->names);
	return status;
}

AbutStatus abut_run_read(const char *folder, AbutRunRecord *out, AbutError *error)
{
	static AbutStatus (*const tables[])(Reading *) = {read_trajectory, read_steps, read_contacts};
	Reading reading = {.folder = folder, .record = out, .error = error};
	memset(out, 0, sizeof *out);
	AbutStatus status = read_scene(&reading);
	ABUT_THEN(status, read_summary(&reading));
	for (size_t i = 0; status == ABUT_OK && i < sizeof tables / sizeof *tables; i++) {
		reading.n = reading.capacity = 0;
		status = tables[i](&reading);
		abut_csv_table_close(&reading.table);
	}
	ABUT_THEN(status, abut_run_read_joints(folder, out, error));
	ABUT_THEN(status, abut_run_read_sensors(folder, out, error));
	if (status != ABUT_OK) {
		abut_run_record_free(out);
	}
	return status;
}

void abut_run_record_free(AbutRunRecord *record)
{
	abut_scene_destroy(record->scene);
	abut_model_destroy(record->model);
	abut_json_destroy(record->summary);
	free(record->times);
	free(record->bodies);
	free(record->steps);
	free(record->first_contact);
	free(record->contacts);
	free(record->joints);
	free(record->sensors);
	memset(record, 0, sizeof *record);
}
