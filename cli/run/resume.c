/* Continues a run for `abut run --resume DIR`. Tested in tests/cli/run/resume.c. */
#include "cli/run/resume.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/common/print.h"
#include "cli/common/report.h"
#include "io/run/same.h"
#include "io/text/number.h"

/* Checks that the scene on the command line is the scene of the run. */
static int check_scene(const AbutRunCall *call, const AbutModel *model)
{
	AbutScene *scene = NULL;
	AbutModel *other = NULL;
	AbutError error = {0};
	int exit_status = abut_changes_open(&call->changes, call->scene, &scene, &other);
	if (exit_status == ABUT_EXIT_DONE && abut_run_same(model, other, &error) != ABUT_OK) {
		/* abut_run_same calls the scene of the run "snapshot" in its message. */
		snprintf(error.file, sizeof error.file, "%s", call->scene);
		exit_status = abut_report_error(&error, ABUT_EXIT_USAGE);
	}
	abut_model_destroy(other);
	abut_scene_destroy(scene);
	return exit_status;
}

static int read_scene(const AbutRunCall *call, AbutResumed *out)
{
	AbutError error = {0};
	char number[ABUT_NUMBER_SIZE], duration[ABUT_NUMBER_SIZE + 16];
	const char *until = call->until > 0.0 ? duration : NULL;
	snprintf(duration, sizeof duration, "duration=%s", abut_number_short(call->until, number));
	AbutStatus status = abut_run_settings_read(call->resume, &out->settings, &error);
	ABUT_THEN(status, abut_run_settings_scene(&out->settings, until, &out->scene, &error));
	if (status == ABUT_OK && abut_model_create(abut_scene_def(out->scene), &out->model, &error) != ABUT_OK) {
		abut_scene_locate(out->scene, &error);
		status = error.status;
	}
	if (status != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_USAGE);
	}
	return ABUT_EXIT_DONE;
}

int abut_resume_read(const AbutRunCall *call, AbutResumed *out)
{
	memset(out, 0, sizeof *out);
	const int exit_status = read_scene(call, out);
	return exit_status == ABUT_EXIT_DONE && call->scene ? check_scene(call, out->model) : exit_status;
}

int abut_resume_begin(const AbutRunCall *call, const AbutResumed *resumed, AbutState *state, AbutRunFolder *folder,
                      bool *complete)
{
	AbutError error = {0};
	const AbutRunSettings *settings = &resumed->settings;
	const AbutRunFolderOptions options = {call->resume, call->log, NULL, settings->save_every, settings->seed};
	const int exit_status = abut_report_output(
	    abut_run_folder_resume(&options, settings, resumed->scene, resumed->model, state, folder, &error), &error);
	*complete = exit_status == ABUT_EXIT_DONE &&
	            abut_run_folder_complete(folder, call->resume, abut_run_steps(abut_scene_def(resumed->scene)));
	return exit_status;
}

int abut_resume_print_complete(const AbutRunCall *call, const AbutState *state, bool json)
{
	if (json) {
		return abut_print_file(call->resume, "summary.json");
	}
	if (!call->quiet) {
		printf("%s: the run is complete, at %g s; --until T continues it\n", call->resume,
		       abut_state_time(state));
	}
	return abut_finish_stdout(ABUT_EXIT_DONE);
}
