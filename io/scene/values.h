/* Reads values used by several parts of a scene. Errors are recorded in the reader. */
#pragma once

#include "abut/shape.h"
#include "io/json/read.h"
#include "io/text/names.h"

/* Returns a required number; 0 after an error. */
double abut_scene_require_number(const AbutNode *node, const char *key, AbutRange range);
/* Reads a required, non-empty array of rows of `width` numbers, or of plain numbers if `width` is 1. The caller frees
 * the values. Returns NULL after an error. */
double *abut_scene_read_rows(const AbutNode *node, const char *key, int width, int *n);
/* Reads `mass_properties`; returns false if there are none, or after an error. */
bool abut_scene_read_mass_properties(const AbutNode *node, AbutMassProperties *out);
/* Fails because `word`, at the node, is not one of the known names of a `what`; suggests the nearest name, or lists
 * them. */
void abut_scene_fail_unknown(const AbutNode *node, const char *what, const char *word, const AbutNames *known);
/* Looks up a string node in the table of names and returns its value, or -1 after an error. `what` is for messages,
 * such as "shape". */
int abut_scene_read_reference(const AbutNode *node, const char *what, const AbutNames *known);
/* Sorts the names of a list's elements, which are `what` (a plural). Fails at the second of two equal names. */
void abut_scene_check_names(const AbutNode *list, const char *what, AbutNames *names);
