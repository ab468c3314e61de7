#include "cli/run_resume.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/run/point.h"
#include "io/run/same.h"
#include "io/text/file_text.h"

/* A scene on the command line must be the one that the run was begun with. */
static int check_scene(const AbutResumeCall *call, const AbutModel *model)
{
	AbutScene *scene = NULL;
	AbutModel *other = NULL;
	AbutError error = {0};
	int exit_status = abut_changes_open(call->changes, call->scene, &scene, &other);
	if (exit_status == ABUT_EXIT_DONE && abut_run_same(model, other, &error) != ABUT_OK) {
		/* abut_run_same compares as a snapshot is compared: the run's side is its "snapshot". */
		snprintf(error.file, sizeof error.file, "%s", call->scene);
		exit_status = abut_report_error(&error, ABUT_EXIT_USAGE);
	}
	abut_model_destroy(other);
	abut_scene_destroy(scene);
	return exit_status;
}

/* An input file that cannot be read is the call's fault. */
static int fail_reading(const AbutError *error)
{
	return abut_report_error(error, ABUT_EXIT_USAGE);
}

static int read_scene(const AbutResumeCall *call, AbutResumed *out)
{
	AbutError error = {0};
	char duration[96];
	double until = 0.0;
	if (!abut_args_number("run", "until", call->until, &until)) {
		return ABUT_EXIT_USAGE;
	}
	if (abut_run_settings_read(call->folder, &out->settings, &error) != ABUT_OK) {
		return fail_reading(&error);
	}
	snprintf(duration, sizeof duration, "duration=%s", call->until ? call->until : "");
	if (abut_run_settings_scene(&out->settings, call->until ? duration : NULL, &out->scene, &error) != ABUT_OK) {
		return fail_reading(&error);
	}
	if (abut_model_create(abut_scene_def(out->scene), &out->model, &error) != ABUT_OK) {
		abut_scene_locate(out->scene, &error);
		return fail_reading(&error);
	}
	if (!call->quiet) {
		abut_report_warnings(out->scene);
	}
	return ABUT_EXIT_DONE;
}

int abut_resume_read(const AbutResumeCall *call, AbutResumed *out)
{
	memset(out, 0, sizeof *out);
	const int exit_status = read_scene(call, out);
	return exit_status == ABUT_EXIT_DONE && call->scene ? check_scene(call, out->model) : exit_status;
}

int abut_resume_begin(const AbutResumeCall *call, const AbutResumed *resumed, AbutState *state, AbutRunFolder *folder,
                      bool *complete)
{
	AbutError error = {0};
	const AbutRunSettings *settings = &resumed->settings;
	const AbutRunFolderOptions options = {call->folder, call->log, NULL, settings->save_every, settings->seed};
	if (abut_run_folder_resume(&options, settings, resumed->scene, resumed->model, state, folder, &error) !=
	    ABUT_OK) {
		return abut_report_error(&error, abut_exit_status(&error));
	}
	*complete = abut_run_folder_complete(folder, call->folder, abut_run_steps(abut_scene_def(resumed->scene)));
	return ABUT_EXIT_DONE;
}

int abut_resume_print_complete(const AbutResumeCall *call, const AbutState *state, bool json)
{
	AbutError error = {0};
	char *text = NULL;
	size_t length = 0;
	if (!json) {
		if (!call->quiet) {
			printf("%s: the run is complete, at %g s; --until T goes on\n", call->folder,
			       abut_state_time(state));
		}
		return abut_finish_stdout(ABUT_EXIT_DONE);
	}
	char *const path = abut_path_join(call->folder, "summary.json");
	if (!path) {
		abut_report("out of memory");
		return ABUT_EXIT_MACHINE;
	}
	const AbutStatus status = abut_file_read(path, "summary", SIZE_MAX / 4, &text, &length, &error);
	free(path);
	if (status != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_MACHINE);
	}
	fwrite(text, 1, length, stdout);
	free(text);
	return abut_finish_stdout(ABUT_EXIT_DONE);
}
