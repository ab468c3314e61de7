/* A table from unique names to numbers: sorted once, so that a file with a million names stays quick. */
#ifndef IO_TEXT_NAMES_H
#define IO_TEXT_NAMES_H

#include <stdbool.h>

typedef struct AbutName {
	const char *name; /* not owned */
	int value;
} AbutName;

typedef struct AbutNames {
	int count;
	AbutName *entries; /* sorted by name, then value */
} AbutNames;

/* Room for `capacity` names; false: out of memory. An all-zero table is empty. */
bool abut_names_init(AbutNames *names, int capacity);
void abut_names_free(AbutNames *names);
void abut_names_add(AbutNames *names, const char *name, int value); /* within the capacity */
/* Sorts. Returns the value of the first entry whose name occurred before, -1 if all names are unique. */
int abut_names_finish(AbutNames *names);
/* Returns the value of `name`, -1 if there is none. */
int abut_names_find(const AbutNames *names, const char *name);

#endif
