/* The options --set and --method, of every verb that has both. */
#include "cli/changes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/text/words.h"

bool abut_changes_create(int argc, AbutSceneChanges *out)
{
	*out = (AbutSceneChanges){.overrides = {0, calloc((size_t)argc + 1, sizeof *out->overrides.items)}};
	if (!out->overrides.items) {
		abut_report("out of memory");
	}
	return out->overrides.items != NULL;
}

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
	char starts[ABUT_METHOD_COUNT][32], list[128];
	const char *words[ABUT_METHOD_COUNT];
	for (int i = 0; i < ABUT_METHOD_COUNT; i++) {
		if (strcmp(name, methods[i]) == 0) {
			return true;
		}
		/* Of "single-level", "single" alone is near enough. */
		snprintf(starts[i], sizeof starts[i], "%.*s", (int)strcspn(methods[i], "-"), methods[i]);
		words[i] = starts[i];
	}
	int nearest = abut_text_nearest(name, methods, ABUT_METHOD_COUNT);
	nearest = nearest >= 0 ? nearest : abut_text_nearest(name, words, ABUT_METHOD_COUNT);
	abut_text_join(methods, ABUT_METHOD_COUNT, list, sizeof list);
	if (nearest >= 0) {
		abut_report("--method: '%.40s' is not a method; did you mean '%s'? allowed: %s", name, methods[nearest],
		            list);
	} else {
		abut_report("--method: '%.40s' is not a method; allowed: %s", name, list);
	}
	return false;
}

static bool add_method(AbutSceneChanges *changes)
{
	static const char path[] = "solver.method=";
	const size_t size = sizeof path + strlen(changes->method);
	changes->owned = malloc(size);
	if (changes->owned) {
		snprintf(changes->owned, size, "%s%s", path, changes->method);
		changes->overrides.items[changes->overrides.count++] = changes->owned;
	}
	return changes->owned != NULL;
}

int abut_changes_check(AbutSceneChanges *changes)
{
	if (changes->method && !is_method(changes->method)) {
		return ABUT_EXIT_USAGE;
	}
	if (changes->method && !add_method(changes)) {
		abut_report("out of memory");
		return ABUT_EXIT_MACHINE;
	}
	return ABUT_EXIT_DONE;
}

/* An error of the method is one of --method, which set it. */
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
