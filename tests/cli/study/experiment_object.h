/* Finds parts of the object of `abut experiment` for its tests. */
#pragma once

#include <criterion/criterion.h>
#include <string.h>

#include "cli/call.h"

#define EXPERIMENTS ABUT_SOURCE_DIR "/experiments/"

static inline const cJSON *member(const cJSON *object, const char *key)
{
	const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, key);
	cr_assert_not_null(found, "%s", key);
	return found;
}

/* Returns the rows of the table with this name. */
static inline const cJSON *rows_of(const cJSON *object, const char *name)
{
	const cJSON *table;
	cJSON_ArrayForEach(table, member(object, "tables"))
	{
		if (strcmp(cJSON_GetStringValue(member(table, "name")), name) == 0) {
			return member(table, "rows");
		}
	}
	cr_assert_fail("no table %s", name);
	return NULL;
}
