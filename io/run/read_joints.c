/* Reads joints.csv of a run into an array over frames and joints. Tested in tests/io/run_read.c. */
#include "io/run/read_joints.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "io/run/model_names.h"
#include "io/text/csv_table.h"
#include "io/text/file_text.h"
#include "io/text/names.h"

enum { TIME, FORCE, TORQUE = FORCE + 3, POSITION = TORQUE + 3, VELOCITY, EFFORTS, AXIS = EFFORTS + 3, JOINT, COLUMNS };

static const char *const columns[COLUMNS] = {"time",
                                             "constraint_force_x",
                                             "constraint_force_y",
                                             "constraint_force_z",
                                             "constraint_torque_x",
                                             "constraint_torque_y",
                                             "constraint_torque_z",
                                             "position",
                                             "velocity",
                                             "limit_effort",
                                             "friction_effort",
                                             "motor_effort",
                                             "axis",
                                             "joint"};

static AbutJointState *joint_at(const AbutRunRecord *record, long frame, int joint)
{
	return &record->joints[frame * record->n_joints + joint];
}

/* Sets the joints of frame 0 to those of the initial state, and their numbers of freedoms in all frames. */
static AbutStatus read_start(AbutRunRecord *record, AbutError *error)
{
	AbutState *state = NULL;
	AbutStatus status = abut_state_create(record->model, &state, error);
	for (int i = 0; status == ABUT_OK && i < record->n_joints; i++) {
		abut_joint_get(record->model, state, i, joint_at(record, 0, i));
		for (long frame = 1; frame < record->n_frames; frame++) {
			joint_at(record, frame, i)->n_axes = joint_at(record, 0, i)->n_axes;
		}
	}
	abut_state_destroy(state);
	return status;
}

/* Copies the current row; the fields of a freedom are empty for a joint without any. */
static AbutStatus take(const AbutCsvTable *table, int axis, AbutJointState *out, AbutError *error)
{
	double numbers[EFFORTS + 3];
	const bool free = axis < out->n_axes;
	ABUT_TRY(abut_csv_table_numbers(table, 0, free ? EFFORTS + 3 : POSITION, numbers, error));
	for (int i = 0; i < 3; i++) {
		out->force[i] = numbers[FORCE + i];
		out->torque[i] = numbers[TORQUE + i];
	}
	if (free) {
		out->position[axis] = numbers[POSITION];
		out->velocity[axis] = numbers[VELOCITY];
		out->limit_effort[axis] = numbers[EFFORTS];
		out->friction_effort[axis] = numbers[EFFORTS + 1];
		out->motor_effort[axis] = numbers[EFFORTS + 2];
	}
	return ABUT_OK;
}

static AbutStatus read_rows(AbutCsvTable *table, AbutRunRecord *record, const AbutNames *names, AbutError *error)
{
	bool more = true;
	long frame = 0;
	for (;;) {
		double time;
		int axis;
		ABUT_TRY(abut_csv_table_next(table, &more, error));
		if (!more) {
			return ABUT_OK;
		}
		ABUT_TRY(abut_csv_table_numbers(table, TIME, 1, &time, error));
		ABUT_TRY(abut_csv_table_integer(table, AXIS, &axis, error));
		const int joint = abut_names_find(names, table->fields[JOINT]);
		if (joint < 0 || axis >= ABUT_JOINT_FREEDOMS) {
			return abut_csv_table_fail(table, joint < 0 ? JOINT : AXIS,
			                           joint < 0 ? "a joint of scene.json" : "0, 1 or 2", error);
		}
		while (frame < record->n_frames && record->times[frame] != time) {
			frame++;
		}
		if (frame == record->n_frames) {
			return abut_csv_table_fail(table, TIME, "a time of trajectory.csv, in its order", error);
		}
		ABUT_TRY(take(table, axis, joint_at(record, frame, joint), error));
	}
}

static AbutStatus read_table(const char *folder, AbutRunRecord *record, AbutError *error)
{
	AbutCsvTable table = {0};
	AbutNames names = {0};
	AbutStatus status = abut_joint_names(record->model, &names)
	                        ? ABUT_OK
	                        : abut_file_fail(error, folder, ABUT_ERROR_MEMORY, "out of memory reading the run");
	ABUT_THEN(status, abut_csv_table_open(&table, folder, "joints.csv", COLUMNS, columns, error));
	ABUT_THEN(status, read_rows(&table, record, &names, error));
	abut_csv_table_close(&table);
	abut_names_free(&names);
	return status;
}

AbutStatus abut_run_read_joints(const char *folder, AbutRunRecord *record, AbutError *error)
{
	record->n_joints = abut_model_joint_count(record->model);
	char *const path = abut_path_join(folder, "joints.csv");
	const bool exists = path && access(path, F_OK) == 0;
	free(path);
	if (record->n_joints == 0 || !exists) {
		return path ? ABUT_OK
		            : abut_file_fail(error, folder, ABUT_ERROR_MEMORY, "out of memory reading the run");
	}
	record->joints = calloc((size_t)record->n_frames * (size_t)record->n_joints, sizeof *record->joints);
	AbutStatus status = record->joints
	                        ? ABUT_OK
	                        : abut_file_fail(error, folder, ABUT_ERROR_MEMORY, "out of memory reading the run");
	ABUT_THEN(status, read_start(record, error));
	ABUT_THEN(status, read_table(folder, record, error));
	return status;
}
