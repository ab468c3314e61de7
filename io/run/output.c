/* Writes the files of a run into its folder. */
#include "io/run/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "io/run/output_csv.h"
#include "io/scene/write.h"
#include "io/text/file_text.h"
#include "io/text/folder.h"
#include "io/text/output_target.h"

enum { TRAJECTORY, CONTACTS, STEPS, JOINTS, SENSORS, SUMMARY, SCENE, LOG, N_FILES };

/* Names of the files in the folder. */
static const char *const names[LOG] = {"trajectory.csv", "contacts.csv", "steps.csv", "joints.csv",
                                       "sensors.csv",    "summary.json", "scene.json"};

const char *const abut_output_tables[ABUT_OUTPUT_TABLES] = {"trajectory.csv", "contacts.csv", "steps.csv", "joints.csv",
                                                            "sensors.csv"};

static bool has_table(int table, int n_joints, int n_sensors)
{
	return table == JOINTS ? n_joints > 0 : table == SENSORS ? n_sensors > 0 : true;
}

bool abut_output_has_table(const AbutModel *model, int table)
{
	return has_table(table, abut_model_joint_count(model), abut_model_sensor_count(model));
}

/* A live output writes its rows to the files only after this time or when MOST_WAITING is exceeded: one system call
 * costs as much as formatting the rows of a small step. */
static const double longest_wait_us = 20e3;
enum { MOST_WAITING = 1 << 18, ROW = 512, BODY_ROWS = 8 }; /* byte limits of buffer and row; rows per body */

struct AbutOutput {
	AbutFolder folder;
	AbutTarget targets[N_FILES];       /* no `file` for unwanted files */
	const AbutSceneDef *def;           /* scene of a live output; otherwise NULL */
	bool begun;                        /* the tables contain the initial state */
	char *buffers[ABUT_OUTPUT_TABLES]; /* stream buffers of the tables, so that no row is written in part */
	double flushed_us;                 /* time of the last flush */
	long waiting;                      /* upper bound of bytes buffered since the last flush */
	long sizes[ABUT_OUTPUT_TABLES];    /* bytes of each table up to the last flushed step */
};

/* Refuses a log that has the name of file `i`. */
static AbutStatus check_log(const AbutOutput *output, int i, AbutError *error)
{
	return abut_target_is_same(&output->targets[i], &output->targets[LOG])
	           ? abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "the log has the name of another output, %s",
	                            names[i])
	           : ABUT_OK;
}

static AbutStatus open_folder(AbutOutput *output, const char *folder, AbutError *error)
{
	AbutStatus status = abut_folder_make(&output->folder, folder, "output", error);
	for (int i = 0; status == ABUT_OK && i < LOG; i++) {
		if (i != JOINTS && i != SENSORS) {
			status = abut_target_open(&output->targets[i], output->folder.path, names[i], error);
		}
	}
	return status;
}

/* Opens joints.csv and sensors.csv in the folder, as far as the scene has them and they are not yet open. */
static AbutStatus open_optional(AbutOutput *output, int n_joints, int n_sensors, AbutError *error)
{
	for (int i = JOINTS; output->folder.path && i <= SENSORS; i++) {
		AbutTarget *table = &output->targets[i];
		if (has_table(i, n_joints, n_sensors) && !table->file) {
			ABUT_TRY(abut_target_open(table, output->folder.path, names[i], error));
			ABUT_TRY(check_log(output, i, error));
		}
	}
	return ABUT_OK;
}

static AbutStatus open_log(AbutOutput *output, const char *path, AbutError *error)
{
	if (path[0] == '\0') {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "the log has an empty name");
	}
	ABUT_TRY(abut_target_open(&output->targets[LOG], NULL, path, error));
	for (int i = 0; i < LOG; i++) {
		ABUT_TRY(check_log(output, i, error));
	}
	abut_output_write_log_header(output->targets[LOG].file);
	return ABUT_OK;
}

AbutStatus abut_output_open(const char *folder, const char *log, AbutOutput **out, AbutError *error)
{
	*out = NULL;
	AbutOutput *output = calloc(1, sizeof *output);
	if (!output) {
		return abut_fail_memory(error, "the output");
	}
	AbutStatus status = folder ? open_folder(output, folder, error) : ABUT_OK;
	if (status == ABUT_OK && log) {
		status = open_log(output, log, error);
	}
	if (status != ABUT_OK) {
		abut_output_destroy(output);
		return status;
	}
	*out = output;
	return ABUT_OK;
}

/* Writes scene.json, or drops it if a shape is defined by functions of a program. */
static void write_scene(AbutTarget *target, const AbutSceneDef *def)
{
	if (abut_scene_write(target->file, def, NULL) != ABUT_OK) {
		abut_target_drop(target);
	}
}

/* --- live --- */

AbutStatus abut_output_go_live(AbutOutput *output, const AbutSceneDef *def, AbutError *error)
{
	const size_t n = (size_t)def->n_bodies + (size_t)def->n_joints + (size_t)def->n_sensors;
	const size_t size = MOST_WAITING + (size_t)ROW * BODY_ROWS * n;
	output->def = def;
	ABUT_TRY(open_optional(output, def->n_joints, def->n_sensors, error));
	for (int i = 0; i < ABUT_OUTPUT_TABLES; i++) {
		if (!output->targets[i].file) {
			continue;
		}
		output->buffers[i] = malloc(size);
		if (!output->buffers[i] || setvbuf(output->targets[i].file, output->buffers[i], _IOFBF, size) != 0) {
			return abut_fail_memory(error, "the output");
		}
	}
	return ABUT_OK;
}

/* Removes the summary of an earlier run; the new one is created at the end. */
static AbutStatus drop_summary(AbutOutput *output, AbutError *error)
{
	AbutTarget *summary = &output->targets[SUMMARY];
	if (remove(summary->path) != 0 && errno != ENOENT) {
		return abut_file_fail(error, summary->path, abut_path_status(errno),
		                      "cannot remove the old summary: %s", strerror(errno));
	}
	abut_target_drop(summary);
	return ABUT_OK;
}

static AbutStatus commit_scene(AbutOutput *output, AbutError *error)
{
	AbutTarget *scene = &output->targets[SCENE];
	write_scene(scene, output->def);
	AbutStatus status = scene->file ? abut_target_sync(scene, error) : ABUT_OK;
	if (status == ABUT_OK && scene->file) {
		status = abut_target_close(scene, error);
	}
	if (status == ABUT_OK && scene->path) {
		status = abut_target_commit(scene, error);
	}
	return status;
}

/* Gives the tables and scene.json their names, once the initial state has been written. */
static AbutStatus begin(AbutOutput *output, AbutError *error)
{
	AbutStatus status = drop_summary(output, error);
	ABUT_THEN(status, commit_scene(output, error));
	for (int i = 0; status == ABUT_OK && i < ABUT_OUTPUT_TABLES; i++) {
		AbutTarget *table = &output->targets[i];
		status = table->file ? abut_target_publish(table, error) : ABUT_OK;
	}
	ABUT_THEN(status, abut_folder_sync(output->folder.path, error));
	if (status == ABUT_OK) {
		abut_folder_keep(&output->folder);
		output->begun = true;
	}
	return status;
}

/* Writes the buffered rows to the files and sets `sizes` to the file sizes in bytes. */
static AbutStatus flush(AbutOutput *output, long sizes[ABUT_OUTPUT_TABLES], AbutError *error)
{
	/* steps.csv is written last: a step is complete once its row is there. */
	static const int sequence[ABUT_OUTPUT_TABLES] = {SENSORS, JOINTS, CONTACTS, TRAJECTORY, STEPS};
	long now[ABUT_OUTPUT_TABLES];
	for (int i = 0; i < ABUT_OUTPUT_TABLES; i++) {
		AbutTarget *table = &output->targets[sequence[i]];
		now[sequence[i]] = table->file ? abut_target_flush(table) : 0;
		if (now[sequence[i]] < 0) {
			const AbutStatus status = abut_target_state(table, error);
			return status != ABUT_OK ? status
			                         : abut_file_fail(error, table->path, ABUT_ERROR_IO, "has no size");
		}
	}
	memcpy(output->sizes, now, sizeof now);
	memcpy(sizes, now, sizeof now);
	output->flushed_us = abut_now_us();
	output->waiting = 0;
	return ABUT_OK;
}

AbutStatus abut_output_sync(AbutOutput *output, long sizes[ABUT_OUTPUT_TABLES], AbutError *error)
{
	AbutStatus status = flush(output, sizes, error);
	for (int i = 0; i < ABUT_OUTPUT_TABLES; i++) {
		const AbutTarget *table = &output->targets[i];
		ABUT_THEN(status, table->file ? abut_target_sync(table, error) : ABUT_OK);
	}
	return status;
}

/* Starts the live output with the initial state; after later steps, flushes when it is due. */
static AbutStatus go_on(AbutOutput *output, const AbutRunView *view, AbutError *error)
{
	long sizes[ABUT_OUTPUT_TABLES];
	if (!output->begun) {
		const AbutStatus status = begin(output, error);
		return status == ABUT_OK ? flush(output, sizes, error) : status;
	}
	output->waiting += (long)ROW * (abut_model_body_count(view->model) + abut_contact_count(view->workspace) +
	                                ABUT_JOINT_FREEDOMS * abut_model_joint_count(view->model) +
	                                abut_model_sensor_values(view->model) + 1);
	const bool is_time = abut_now_us() - output->flushed_us >= longest_wait_us || output->waiting > MOST_WAITING;
	return is_time ? flush(output, sizes, error) : ABUT_OK;
}

AbutStatus abut_output_continue(const char *folder, const char *log, const long sizes[ABUT_OUTPUT_TABLES],
                                const AbutSceneDef *def, AbutOutput **out, AbutError *error)
{
	*out = NULL;
	AbutOutput *output = calloc(1, sizeof *output);
	if (!output) {
		return abut_fail_memory(error, "the output");
	}
	AbutStatus status = abut_folder_make(&output->folder, folder, "output", error);
	for (int i = 0; status == ABUT_OK && i < ABUT_OUTPUT_TABLES; i++) {
		if (has_table(i, def->n_joints, def->n_sensors)) {
			status =
			    abut_target_continue(&output->targets[i], output->folder.path, names[i], sizes[i], error);
		}
	}
	for (int i = ABUT_OUTPUT_TABLES; status == ABUT_OK && i < LOG; i++) {
		status = abut_target_open(&output->targets[i], output->folder.path, names[i], error);
	}
	if (status == ABUT_OK && log) {
		status = open_log(output, log, error);
	}
	if (status == ABUT_OK) {
		memcpy(output->sizes, sizes, sizeof output->sizes);
		status = abut_output_go_live(output, def, error);
	}
	ABUT_THEN(status, drop_summary(output, error));
	ABUT_THEN(status, commit_scene(output, error));
	if (status != ABUT_OK) {
		abut_output_destroy(output);
		return status;
	}
	output->begun = true;
	output->flushed_us = abut_now_us();
	*out = output;
	return ABUT_OK;
}

/* --- in a run --- */

/* Called with the initial state and not earlier: setvbuf must come before any output to a stream. */
static void write_headers(const AbutTarget *targets)
{
	if (targets[TRAJECTORY].file) {
		abut_output_write_trajectory_header(targets[TRAJECTORY].file);
		abut_output_write_contacts_header(targets[CONTACTS].file);
		abut_output_write_steps_header(targets[STEPS].file);
	}
	if (targets[JOINTS].file) {
		abut_output_write_joints_header(targets[JOINTS].file);
	}
	if (targets[SENSORS].file) {
		abut_output_write_sensors_header(targets[SENSORS].file);
	}
}

static void write_rows(const AbutTarget *targets, const AbutRunView *view)
{
	const bool moved = !view->info || view->info->outcome != ABUT_OUTCOME_FAILED;
	if (targets[TRAJECTORY].file && moved) {
		abut_output_write_trajectory(targets[TRAJECTORY].file, view->model, view->state);
	}
	if (targets[CONTACTS].file && moved && view->info) {
		abut_output_write_contacts(targets[CONTACTS].file, view->model, view->state, view->workspace);
	}
	if (targets[JOINTS].file && moved && view->info) {
		abut_output_write_joints(targets[JOINTS].file, view->model, view->state);
	}
	if (targets[SENSORS].file && moved && view->info) {
		abut_output_write_sensors(targets[SENSORS].file, view->model, view->state);
	}
	if (targets[STEPS].file && view->info) {
		abut_output_write_step(targets[STEPS].file, view);
	}
	if (targets[LOG].file && view->info) {
		abut_output_write_log(targets[LOG].file, view);
	}
}

AbutStatus abut_output_observe(void *context, const AbutRunView *view, AbutError *error)
{
	AbutOutput *output = context;
	const AbutTarget *targets = output->targets;
	if (!view->info && output->begun) {
		return ABUT_OK; /* the tables of a resumed run already contain this state */
	}
	if (!view->info) {
		ABUT_TRY(open_optional(output, abut_model_joint_count(view->model),
		                       abut_model_sensor_count(view->model), error));
		write_headers(targets);
	}
	write_rows(targets, view);
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < N_FILES; i++) {
		status = targets[i].file ? abut_target_state(&targets[i], error) : ABUT_OK;
	}
	return status == ABUT_OK && output->def ? go_on(output, view, error) : status;
}

AbutStatus abut_output_commit(AbutOutput *output, const AbutRunReport *report, AbutError *error)
{
	AbutTarget *targets = output->targets;
	long sizes[ABUT_OUTPUT_TABLES];
	AbutStatus status = ABUT_OK;
	if (output->def) {
		status = flush(output, sizes, error);
		ABUT_THEN(status, abut_target_open(&targets[SUMMARY], output->folder.path, names[SUMMARY], error));
	}
	if (report && targets[SUMMARY].file) {
		abut_output_write_summary(targets[SUMMARY].file, report);
	}
	if (report && targets[SCENE].file) {
		write_scene(&targets[SCENE], report->def);
	}
	for (int i = 0; status == ABUT_OK && i < LOG; i++) {
		status = targets[i].file ? abut_target_sync(&targets[i], error) : ABUT_OK;
	}
	for (int i = 0; status == ABUT_OK && i < N_FILES; i++) {
		status = targets[i].file ? abut_target_close(&targets[i], error) : ABUT_OK;
	}
	for (int i = 0; status == ABUT_OK && i < N_FILES; i++) {
		status = targets[i].pending ? abut_target_check(&targets[i], error) : ABUT_OK;
	}
	for (int i = 0; status == ABUT_OK && i < N_FILES; i++) {
		status = abut_target_commit(&targets[i], error);
		if (status == ABUT_OK) {
			abut_folder_keep(&output->folder);
		}
	}
	return status == ABUT_OK && output->folder.path ? abut_folder_sync(output->folder.path, error) : status;
}

void abut_output_destroy(AbutOutput *output)
{
	if (!output) {
		return;
	}
	for (int i = 0; i < N_FILES; i++) {
		AbutTarget *target = &output->targets[i];
		if (target->file && i < ABUT_OUTPUT_TABLES && output->begun) {
			abut_target_cut(target, output->sizes[i]);
		}
		abut_target_drop(target);
	}
	for (int i = 0; i < ABUT_OUTPUT_TABLES; i++) {
		free(output->buffers[i]);
	}
	abut_folder_drop(&output->folder);
	free(output);
}
