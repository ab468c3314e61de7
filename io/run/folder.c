/* Begins, resumes and ends a run in its folder. */
#include "io/run/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "io/json/read.h"
#include "io/run/inputs_table.h"
#include "io/text/file_text.h"
#include "io/text/output_target.h"

/* Locks the folder until the process ends or the folder is closed. A file system without locks gives no protection. */
static AbutStatus lock_folder(AbutRunFolder *run, const char *folder, AbutError *error)
{
	const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (descriptor < 0) {
		return abut_file_fail(error, folder, abut_path_status(errno), "cannot read the folder: %s",
		                      strerror(errno));
	}
	run->lock = 1 + descriptor;
	if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
		return abut_file_fail(error, folder, ABUT_ERROR_ARGUMENT, "another process is running in this folder");
	}
	abut_target_sweep(folder);
	return ABUT_OK;
}

void abut_run_folder_close(AbutRunFolder *run)
{
	abut_saver_destroy(run->saver);
	abut_output_destroy(run->output);
	abut_inputs_free(&run->inputs);
	if (run->lock > 0) {
		close(run->lock - 1);
	}
	memset(run, 0, sizeof *run);
}

/* --- from the start --- */

static AbutStatus write_settings(const AbutRunFolderOptions *options, const AbutRunFolder *run, const AbutScene *scene,
                                 AbutError *error)
{
	AbutRunSettings settings;
	AbutStatus status = abut_run_settings_of(scene, options->seed, options->save_every,
	                                         abut_inputs_digest(&run->inputs), &settings, error);
	ABUT_THEN(status, abut_run_settings_write(&settings, options->folder, error));
	abut_run_settings_free(&settings);
	return status;
}

/* Describes the run whose files are in the folder: from its summary, or, if it has not ended, by its name alone. A
 * summary that cannot be read describes nothing. */
static AbutStatus describe_old(const char *folder, char text[ABUT_RUN_TEXT_SIZE])
{
	AbutSource source = {0};
	AbutJson *root = NULL;
	AbutError error = {0};
	char *const settings = abut_path_join(folder, "run.json"), *const path = abut_path_join(folder, "summary.json");
	AbutStatus status = settings && path ? ABUT_OK : ABUT_ERROR_MEMORY;
	if (status == ABUT_OK && access(path, F_OK) == 0) {
		status = abut_source_load(&source, path, "summary", SIZE_MAX / 4, &root, &error);
		AbutReader reader = {.source = &source, .error = &error};
		const AbutNode node = {&reader, NULL, root, NULL, 0};
		reader.status = status;
		const char *name = abut_node_require_string(&node, "name"),
		           *method = abut_node_require_string(&node, "method");
		const double steps = abut_node_require_whole(&node, "steps", 0x1p53 - 1.0);
		const double seed = abut_node_require_whole(&node, "seed", 0x1p53 - 1.0);
		if (reader.status == ABUT_OK) {
			snprintf(text, ABUT_RUN_TEXT_SIZE, "the run of %.128s: %.0f steps, method %.32s, seed %.0f",
			         name, steps, method, seed);
		} else {
			snprintf(text, ABUT_RUN_TEXT_SIZE, "a run whose summary.json cannot be read");
		}
	} else if (status == ABUT_OK && access(settings, F_OK) == 0) {
		snprintf(text, ABUT_RUN_TEXT_SIZE, "an unfinished run, which --resume could have continued");
	}
	abut_json_destroy(root);
	abut_source_free(&source);
	free(path);
	free(settings);
	return status == ABUT_ERROR_MEMORY ? status : ABUT_OK;
}

/* Removes a table of an earlier run that the new one does not have. */
static AbutStatus drop_table(const char *folder, int table, AbutError *error)
{
	char *const path = abut_path_join(folder, abut_output_tables[table]);
	AbutStatus status = path ? ABUT_OK : abut_fail_memory(error, "the run");
	if (path && remove(path) != 0 && errno != ENOENT) {
		status = abut_file_fail(error, path, abut_path_status(errno), "cannot remove the old table: %s",
		                        strerror(errno));
	}
	free(path);
	return status;
}

/* Removes old snapshots first and writes the settings last: a run can be resumed once its settings exist. */
static AbutStatus begin_folder(const AbutRunFolderOptions *options, const AbutScene *scene, const AbutModel *model,
                               AbutRunFolder *run, AbutError *error)
{
	AbutStatus status = abut_output_go_live(run->output, abut_scene_def(scene), error);
	ABUT_THEN(status, abut_saver_open(options->folder, options->save_every, -1, run->output, &run->saver, error));
	ABUT_THEN(status, abut_inputs_write(&run->inputs, model, options->folder, error));
	return status == ABUT_OK ? write_settings(options, run, scene, error) : status;
}

AbutStatus abut_run_folder_begin(const AbutRunFolderOptions *options, const AbutScene *scene, const AbutModel *model,
                                 const AbutState *state, AbutRunFolder *out, AbutError *error)
{
	memset(out, 0, sizeof *out);
	out->driven = options->inputs != NULL;
	AbutStatus status = out->driven ? abut_inputs_read(options->inputs, model, &out->inputs, error)
	                                : abut_inputs_of_state(model, state, &out->inputs, error);
	if (status == ABUT_OK && (options->folder || options->log)) {
		status = abut_output_open(options->folder, options->log, &out->output, error);
	}
	if (options->folder) {
		ABUT_THEN(status, lock_folder(out, options->folder, error));
		if (status == ABUT_OK && describe_old(options->folder, out->replaced) != ABUT_OK) {
			status = abut_fail_memory(error, "the run");
		}
		ABUT_THEN(status, begin_folder(options, scene, model, out, error));
		for (int i = 0; status == ABUT_OK && out->replaced[0] && i < ABUT_OUTPUT_TABLES; i++) {
			status = abut_output_has_table(model, i) ? ABUT_OK : drop_table(options->folder, i, error);
		}
	}
	if (status != ABUT_OK) {
		abut_run_folder_close(out);
	}
	return status;
}

/* --- from a snapshot --- */

static AbutStatus read_inputs(const AbutRunFolderOptions *options, const AbutRunSettings *settings,
                              const AbutModel *model, AbutRunFolder *run, AbutError *error)
{
	char *const path = abut_path_join(options->folder, "inputs.csv");
	if (!path) {
		return abut_fail_memory(error, "the run");
	}
	run->driven = true;
	AbutStatus status = abut_inputs_read(path, model, &run->inputs, error);
	if (status == ABUT_ERROR_IO && error) { /* a missing file is an error of the argument */
		status = error->status = ABUT_ERROR_ARGUMENT;
	}
	if (status == ABUT_OK && abut_inputs_digest(&run->inputs) != settings->inputs) {
		status = abut_file_fail(error, path, ABUT_ERROR_ARGUMENT,
		                        "the inputs differ from those with which the run began");
	}
	free(path);
	return status;
}

static AbutStatus go_on(const AbutRunFolderOptions *options, const AbutScene *scene, AbutRunFolder *run,
                        AbutError *error)
{
	const AbutRunPoint *point = &run->point;
	AbutStatus status = abut_output_continue(options->folder, options->log, point->sizes, abut_scene_def(scene),
	                                         &run->output, error);
	ABUT_THEN(status, abut_saver_open(options->folder, options->save_every, point->summary.steps, run->output,
	                                  &run->saver, error));
	return status == ABUT_OK ? write_settings(options, run, scene, error) : status;
}

AbutStatus abut_run_folder_resume(const AbutRunFolderOptions *options, const AbutRunSettings *settings,
                                  const AbutScene *scene, const AbutModel *model, AbutState *state, AbutRunFolder *out,
                                  AbutError *error)
{
	const AbutSceneDef *def = abut_scene_def(scene);
	memset(out, 0, sizeof *out);
	AbutStatus status = lock_folder(out, options->folder, error);
	ABUT_THEN(status, read_inputs(options, settings, model, out, error));
	ABUT_THEN(status, abut_run_point_find(options->folder, model, state, &out->point, &out->goes_on, error));
	const long steps = abut_run_steps(def);
	if (status == ABUT_OK && out->goes_on && out->point.summary.steps > steps) {
		status = abut_file_fail(
		    error, options->folder, ABUT_ERROR_ARGUMENT,
		    "the run is already at step %ld (%g s); it cannot end at step %ld: --until must be later",
		    out->point.summary.steps, abut_state_time(state), steps);
	}
	if (status == ABUT_OK && !abut_run_folder_complete(out, options->folder, steps)) {
		status = out->goes_on ? go_on(options, scene, out, error)
		                      : abut_output_open(options->folder, options->log, &out->output, error);
		if (status == ABUT_OK && !out->goes_on) { /* no snapshot: start from the beginning */
			status = begin_folder(options, scene, model, out, error);
		}
	}
	if (status != ABUT_OK) {
		abut_run_folder_close(out);
	}
	return status;
}

bool abut_run_folder_complete(const AbutRunFolder *run, const char *folder, long steps)
{
	char *const path = abut_path_join(folder, "summary.json");
	const bool has_summary = path && access(path, R_OK) == 0;
	free(path);
	return run->goes_on && has_summary && run->point.summary.steps == steps;
}

AbutStatus abut_run_folder_end(AbutRunFolder *run, const AbutRunReport *report, AbutError *error)
{
	AbutStatus status = run->saver ? abut_saver_end(run->saver, report, error) : ABUT_OK;
	if (status == ABUT_OK && run->output) {
		status = abut_output_commit(run->output, report, error);
	}
	return status;
}
