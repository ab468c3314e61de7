/* Maps unique names to numbers. The table is sorted once, so that a file with a million names is read fast. */
#pragma once

#include <stdbool.h>

typedef struct AbutName {
	const char *name; /* not owned */
	int value;
} AbutName;

typedef struct AbutNames {
	int count;
	AbutName *entries; /* sorted by name, then value */
} AbutNames;

/* Allocates room for `capacity` names; false: out of memory. An all-zero table is empty. */
bool abut_names_init(AbutNames *names, int capacity);
void abut_names_free(AbutNames *names);
void abut_names_add(AbutNames *names, const char *name, int value); /* at most `capacity` calls */
/* Sorts the table. Returns the value of the first entry whose name occurred before, or -1 if all names are unique. */
int abut_names_finish(AbutNames *names);
/* Returns the value of `name`, or -1 if there is none. */
int abut_names_find(const AbutNames *names, const char *name);
