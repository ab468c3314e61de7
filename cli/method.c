/* The option --method, of every verb that has it. */
#include "cli/method.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/text.h"

bool abut_method_check(const char *name)
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

bool abut_method_add(const char *method, AbutTextList *overrides, char **owned)
{
	static const char path[] = "solver.method=";
	if (method) {
		const size_t size = sizeof path + strlen(method);
		*owned = malloc(size);
		if (!*owned) {
			return false;
		}
		snprintf(*owned, size, "%s%s", path, method);
		overrides->items[overrides->count++] = *owned;
	}
	return true;
}

void abut_method_locate(const char *method, AbutError *error)
{
	if (method && strcmp(error->file, "--set") == 0 && strcmp(error->where, "solver.method") == 0) {
		char *set_by = strstr(error->message, " (set by ");
		if (set_by) {
			*set_by = '\0';
		}
		snprintf(error->file, sizeof error->file, "--method");
		error->where[0] = '\0';
	}
}
