/* Opens the scene of a call, with the changes of --set PATH=VALUE and --method M. */
#include "cli/common/open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/common/report.h"
#include "io/text/words.h"

void abut_changes_free(AbutSceneChanges *changes)
{
	free(changes->owned);
	free(changes->overrides.items);
}

static bool is_method(const char *name)
{
#define ABUT_X(constant, name) name,
	static const char *const methods[ABUT_METHOD_COUNT] = {ABUT_METHOD_LIST(ABUT_X)};
#undef ABUT_X
	char list[128], text[ABUT_MEANT_SIZE];
	const char *meant = abut_text_nearest(name, methods, ABUT_METHOD_COUNT);
	if (abut_text_index(name, methods, ABUT_METHOD_COUNT) >= 0) {
		return true;
	}
	for (int i = 0; i < ABUT_METHOD_COUNT; i++) {
		/* The part before the dash is enough: "single" suggests "single-level". */
		char start[32];
		const char *const word = start;
		snprintf(start, sizeof start, "%.*s", (int)strcspn(methods[i], "-"), methods[i]);
		meant = meant || !abut_text_nearest(name, &word, 1) ? meant : methods[i];
	}
	return abut_deny("--method: '%.40s' is not a method; %sallowed: %s", name, abut_meant(meant, text),
	                 abut_text_join(methods, ABUT_METHOD_COUNT, list, sizeof list));
}

int abut_changes_check(AbutSceneChanges *changes)
{
	static const char path[] = "solver.method=";
	if (!changes->method) {
		return ABUT_EXIT_DONE;
	}
	if (!is_method(changes->method)) {
		return ABUT_EXIT_USAGE;
	}
	const size_t size = sizeof path + strlen(changes->method);
	changes->owned = malloc(size);
	if (!changes->owned) {
		return abut_report_memory();
	}
	snprintf(changes->owned, size, "%s%s", path, changes->method);
	return abut_text_list_add(&changes->overrides, changes->owned) ? ABUT_EXIT_DONE : abut_report_memory();
}

int abut_open_scene(const char *path, const AbutTextList *overrides, AbutScene **scene, AbutModel **model,
                    AbutError *error)
{
	AbutStatus status = abut_scene_load(path, overrides->count, overrides->items, scene, error);
	if (status == ABUT_OK) {
		status = abut_model_create(abut_scene_def(*scene), model, error);
		if (status != ABUT_OK) {
			abut_scene_locate(*scene, error);
			abut_scene_destroy(*scene);
			*scene = NULL;
		}
	}
	return status == ABUT_OK ? ABUT_EXIT_DONE : abut_is_of_system(status) ? ABUT_EXIT_MACHINE : ABUT_EXIT_USAGE;
}

int abut_review(const AbutScene *scene, const AbutModel *model, bool quiet, AbutReview *out)
{
	if (abut_scene_review(abut_scene_def(scene), model, &out->n, out->warnings) != ABUT_OK) {
		return abut_report_memory();
	}
	if (!quiet) {
		abut_report_warnings(scene);
	}
	for (int i = 0; i < out->n; i++) {
		abut_scene_locate(scene, &out->warnings[i]);
		if (!quiet) {
			abut_report_warning(&out->warnings[i]);
		}
	}
	return ABUT_EXIT_DONE;
}

/* Attributes an error of the method to --method, which set the method. */
static void locate_method(AbutError *error)
{
	if (strcmp(error->file, "--set") == 0 && strcmp(error->where, "solver.method") == 0) {
		char *set_by = strstr(error->message, " (set by ");
		if (set_by) {
			*set_by = '\0';
		}
		snprintf(error->file, sizeof error->file, "--method");
		error->where[0] = '\0';
	}
}

int abut_changes_open(const AbutSceneChanges *changes, const char *path, AbutScene **scene, AbutModel **model)
{
	AbutError error = {0};
	const int exit_status = abut_open_scene(path, &changes->overrides, scene, model, &error);
	if (exit_status == ABUT_EXIT_DONE) {
		return exit_status;
	}
	if (changes->method) {
		locate_method(&error);
	}
	return abut_report_error(&error, exit_status);
}
