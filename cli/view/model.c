/* Exports a scene as a robot model. Tested in tests/cli/view/export.c. */
#include "cli/view/model.h"

#include <stdio.h>

#include "cli/common/open.h"
#include "cli/common/report.h"
#include "io/describe/mjcf_out.h"
#include "io/text/output_target.h"

/* Reports a note, unless the context, a bool, asks for silence. */
static void report_note(void *context, const char *text)
{
	if (!*(const bool *)context) {
		abut_report("%s", text);
	}
}

int abut_export_model(const char *path, const char *out, bool quiet)
{
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	AbutTarget target = {0};
	AbutError error = {0};
	const AbutTextList unchanged = {0};
	const AbutDescribeNotes notes = {&quiet, report_note};
	const int opened = abut_open_scene(path, &unchanged, &scene, &model, &error);
	if (opened != ABUT_EXIT_DONE) {
		return abut_report_error(&error, opened);
	}
	AbutStatus status = abut_target_open(&target, NULL, out, &error);
	if (status == ABUT_OK) {
		status = abut_describe_mjcf(target.file, model, abut_scene_def(scene), &notes, &error);
	}
	status = abut_target_end(&target, status, &error);
	const int exit_status = abut_report_output(status, &error);
	if (status == ABUT_OK && !quiet) {
		const int n = abut_model_body_count(model), joints = abut_model_joint_count(model);
		printf("%s: %d bod%s, %d joint%s\n", out, n, n == 1 ? "y" : "ies", joints, joints == 1 ? "" : "s");
	}
	abut_model_destroy(model);
	abut_scene_destroy(scene);
	return abut_finish_stdout(exit_status);
}
