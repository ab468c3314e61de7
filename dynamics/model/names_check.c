/* Finds the first item of a list whose name is taken, by sorting the names. */
#include "dynamics/model/names_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/scene.h"
#include "base/error.h"

_Static_assert(offsetof(AbutBodyDef, name) == 0 && offsetof(AbutJointDef, name) == 0 &&
                   offsetof(AbutSiteDef, name) == 0 && offsetof(AbutSensorDef, name) == 0,
               "items begin with their name");

typedef struct NamedItem {
	const char *name;
	int index;
} NamedItem;

static int compare_names(const void *a, const void *b)
{
	const NamedItem *x = a, *y = b;
	const int order = strcmp(x->name, y->name);
	return order != 0 ? order : x->index - y->index;
}

AbutStatus abut_names_check(const char *list, int n, const void *items, size_t size, AbutError *error)
{
	NamedItem *named = malloc(((size_t)n + 1) * sizeof *named);
	int taken = n, by = 0;
	if (!named) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while checking the scene");
	}
	for (int i = 0; i < n; i++) {
		memcpy(&named[i].name, (const char *)items + (size_t)i * size, sizeof named[i].name);
		named[i].index = i;
	}
	qsort(named, (size_t)n, sizeof *named, compare_names);
	const char *name = "";
	for (int i = 1; i < n; i++) {
		if (strcmp(named[i - 1].name, named[i].name) == 0 && named[i].index < taken) {
			taken = named[i].index;
			by = named[i - 1].index;
			name = named[i].name;
		}
	}
	free(named);
	if (taken == n) {
		return ABUT_OK;
	}
	char path[64];
	snprintf(path, sizeof path, "%s[%d].name", list, taken);
	return abut_error_set(error, ABUT_ERROR_ARGUMENT, path, "the name '%s' is taken by %s[%d]", name, list, by);
}
