/* The folder of a run and its files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "io/output.h"
#include "io/output_target.h"

enum { TRAJECTORY, CONTACTS, STEPS, SUMMARY, LOG, N_FILES };

/* Of the files in the folder. */
static const char *const names[LOG] = {"trajectory.csv", "contacts.csv", "steps.csv", "summary.json"};

struct AbutOutput {
	char *folder;                /* without slashes at its end; NULL: no folder */
	size_t made;                 /* length of the outermost folder that we made, 0: none */
	AbutTarget targets[N_FILES]; /* those that are not wanted have no file */
};

/* Makes the folder and its parents, noting the outermost that was not there. */
static AbutStatus make_folder(AbutOutput *output, AbutError *error)
{
	char *const folder = output->folder;
	for (char *end = folder + 1;; end++) {
		if (*end != '/' && *end != '\0') {
			continue;
		}
		const char saved = *end;
		*end = '\0';
		const int failed = mkdir(folder, 0777);
		const int reason = errno;
		struct stat info;
		const bool is_folder = failed && stat(folder, &info) == 0 && S_ISDIR(info.st_mode);
		if (!failed && output->made == 0) {
			output->made = (size_t)(end - folder);
		}
		if (failed && !is_folder) {
			abut_error_set(error, ABUT_ERROR_IO, NULL, "cannot make the output folder: %s",
			               strerror(reason));
			if (error) {
				snprintf(error->file, sizeof error->file, "%s", folder);
			}
			*end = saved;
			return ABUT_ERROR_IO;
		}
		*end = saved;
		if (saved == '\0') {
			return ABUT_OK;
		}
	}
}

static AbutStatus fail_memory(AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the output");
}

static AbutStatus open_folder(AbutOutput *output, const char *folder, AbutError *error)
{
	size_t length = strlen(folder);
	if (length == 0) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "the output folder has an empty name");
	}
	while (length > 1 && folder[length - 1] == '/') {
		length--;
	}
	output->folder = calloc(1, length + 1);
	if (!output->folder) {
		return fail_memory(error);
	}
	memcpy(output->folder, folder, length);
	AbutStatus status = make_folder(output, error);
	for (int i = 0; status == ABUT_OK && i < LOG; i++) {
		status = abut_target_open(&output->targets[i], output->folder, names[i], error);
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

AbutStatus abut_output_commit(AbutOutput *output, const AbutRunReport *report, AbutError *error)
{
	AbutTarget *targets = output->targets;
	if (targets[SUMMARY].file) {
		abut_output_write_summary(targets[SUMMARY].file, report);
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
		output->made = status == ABUT_OK ? 0 : output->made;
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
	/* The folders that we made, from the inside out; one that others use by now stays. */
	for (size_t end = output->folder ? strlen(output->folder) : 0; output->made > 0 && end >= output->made; end--) {
		if (output->folder[end] == '/' || output->folder[end] == '\0') {
			output->folder[end] = '\0';
			if (rmdir(output->folder) != 0) {
				break;
			}
		}
	}
	free(output->folder);
	free(output);
}
