#include "cli/run_resume.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

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

static int fail(const AbutError *error)
{
	return abut_report_error(error, abut_exit_status(error));
}

/* An input file that cannot be read is the call's fault. */
static int fail_reading(const AbutError *error)
{
	return abut_report_error(error, ABUT_EXIT_USAGE);
}

static int open_scene(const AbutResumeCall *call, AbutResumed *out)
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

int abut_resume_open(const AbutResumeCall *call, AbutResumed *out)
{
	AbutError error = {0};
	memset(out, 0, sizeof *out);
	int exit_status = open_scene(call, out);
	if (exit_status == ABUT_EXIT_DONE && call->scene) {
		exit_status = check_scene(call, out->model);
	}
	if (exit_status != ABUT_EXIT_DONE) {
		return exit_status;
	}
	if (abut_state_create(out->model, &out->state, &error) != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_MACHINE);
	}
	const AbutRunFolderOptions options = {call->folder, call->log, NULL, out->settings.save_every,
	                                      out->settings.seed};
	if (abut_run_folder_resume(&options, &out->settings, out->scene, out->model, out->state, &out->folder,
	                           &error) != ABUT_OK) {
		return fail(&error);
	}
	out->complete =
	    abut_run_folder_complete(&out->folder, call->folder, abut_run_steps(abut_scene_def(out->scene)));
	if (out->complete) {
		abut_report("%s: the run is complete, at %g s; --until T goes on", call->folder,
		            abut_state_time(out->state));
	} else if (!call->quiet) {
		abut_report("%s: goes on after step %ld, at %g s%s", call->folder, out->folder.point.summary.steps,
		            abut_state_time(out->state), out->folder.goes_on ? "" : ": there is no snapshot");
	}
	return ABUT_EXIT_DONE;
}
