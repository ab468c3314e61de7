/* The folder of a run and its files. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/folder.h"
#include "io/output.h"
#include "io/output_target.h"
#include "io/scene_write.h"

enum { TRAJECTORY, CONTACTS, STEPS, SUMMARY, SCENE, LOG, N_FILES };

/* Of the files in the folder. */
static const char *const names[LOG] = {"trajectory.csv", "contacts.csv", "steps.csv", "summary.json", "scene.json"};

struct AbutOutput {
	AbutFolder folder;
	AbutTarget targets[N_FILES]; /* those that are not wanted have no file */
};

static AbutStatus fail_memory(AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the output");
}

static AbutStatus open_folder(AbutOutput *output, const char *folder, AbutError *error)
{
	AbutStatus status = abut_folder_make(&output->folder, folder, "output", error);
	for (int i = 0; status == ABUT_OK && i < LOG; i++) {
		status = abut_target_open(&output->targets[i], output->folder.path, names[i], error);
	}
	if (status == ABUT_OK) {
		abut_output_write_trajectory_header(output->targets[TRAJECTORY].file);
		abut_output_write_contacts_header(output->targets[CONTACTS].file);
		abut_output_write_steps_header(output->targets[STEPS].file);
	}
	return status;
}

static AbutStatus open_log(AbutOutput *output, const char *path, AbutError *error)
{
	if (path[0] == '\0') {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "the log has an empty name");
	}
	const AbutStatus status = abut_target_open(&output->targets[LOG], NULL, path, error);
	if (status != ABUT_OK) {
		return status;
	}
	for (int i = 0; i < LOG; i++) {
		if (abut_target_is_same(&output->targets[i], &output->targets[LOG])) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
			                      "the log has the name of another output, %s", names[i]);
		}
	}
	abut_output_write_log_header(output->targets[LOG].file);
	return ABUT_OK;
}

AbutStatus abut_output_open(const char *folder, const char *log, AbutOutput **out, AbutError *error)
{
	*out = NULL;
	AbutOutput *output = calloc(1, sizeof *output);
	if (!output) {
		return fail_memory(error);
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

AbutStatus abut_output_observe(void *context, const AbutRunView *view, AbutError *error)
{
	AbutOutput *output = context;
	const AbutTarget *targets = output->targets;
	const bool moved = !view->info || view->info->outcome != ABUT_OUTCOME_FAILED;
	if (targets[TRAJECTORY].file && moved) {
		abut_output_write_trajectory(targets[TRAJECTORY].file, view->model, view->state);
	}
	if (targets[CONTACTS].file && moved && view->info) {
		abut_output_write_contacts(targets[CONTACTS].file, view->model, view->state, view->workspace);
	}
	if (targets[STEPS].file && view->info) {
		abut_output_write_step(targets[STEPS].file, view);
	}
	if (targets[LOG].file && view->info) {
		abut_output_write_log(targets[LOG].file, view);
	}
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < N_FILES; i++) {
		status = targets[i].file ? abut_target_state(&targets[i], error) : ABUT_OK;
	}
	return status;
}

/* A scene with shapes of a program's functions has no file. */
static void write_scene(AbutTarget *target, const AbutSceneDef *def)
{
	if (abut_scene_write(target->file, def, NULL) != ABUT_OK) {
		abut_target_drop(target);
	}
}

AbutStatus abut_output_commit(AbutOutput *output, const AbutRunReport *report, AbutError *error)
{
	AbutTarget *targets = output->targets;
	if (targets[SUMMARY].file) {
		abut_output_write_summary(targets[SUMMARY].file, report);
	}
	if (targets[SCENE].file) {
		write_scene(&targets[SCENE], report->def);
	}
	AbutStatus status = ABUT_OK;
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
	return status;
}

void abut_output_destroy(AbutOutput *output)
{
	if (!output) {
		return;
	}
	for (int i = 0; i < N_FILES; i++) {
		abut_target_drop(&output->targets[i]);
	}
	abut_folder_drop(&output->folder);
	free(output);
}
