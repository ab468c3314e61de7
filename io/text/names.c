/* Sorts names and looks them up. */
#include "io/text/names.h"

#include <stdlib.h>
#include <string.h>

bool abut_names_init(AbutNames *names, int capacity)
{
	names->count = 0;
	names->entries = malloc((size_t)(capacity > 0 ? capacity : 1) * sizeof *names->entries);
	return names->entries != NULL;
}

void abut_names_free(AbutNames *names)
{
	free(names->entries);
	names->entries = NULL;
	names->count = 0;
}

void abut_names_add(AbutNames *names, const char *name, int value)
{
	names->entries[names->count++] = (AbutName){name, value};
}

static int compare(const void *a, const void *b)
{
	const AbutName *x = a, *y = b;
	const int order = strcmp(x->name, y->name);
	return order ? order : (x->value > y->value) - (x->value < y->value);
}

int abut_names_finish(AbutNames *names)
{
	qsort(names->entries, (size_t)names->count, sizeof *names->entries, compare);
	int duplicate = -1;
	for (int i = 1; i < names->count; i++) {
		const AbutName *entry = &names->entries[i];
		if (strcmp(entry[-1].name, entry->name) == 0 && (duplicate < 0 || entry->value < duplicate)) {
			duplicate = entry->value;
		}
	}
	return duplicate;
}

int abut_names_find(const AbutNames *names, const char *name)
{
	int low = 0, high = names->count - 1;
	while (low <= high) {
		const int middle = low + (high - low) / 2;
		const int order = strcmp(name, names->entries[middle].name);
		if (order == 0) {
			return names->entries[middle].value;
		}
		if (order < 0) {
			high = middle - 1;
		} else {
			low = middle + 1;
		}
	}
	return -1;
}
