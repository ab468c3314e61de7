/* Reading values that several parts of a scene have. Errors stick in the reader. */
#ifndef IO_SCENE_VALUES_H
#define IO_SCENE_VALUES_H

#include "abut/shape.h"
#include "io/json/read.h"
#include "io/text/names.h"

/* Reads a number that must be present. */
double abut_scene_require_number(const AbutNode *node, const char *key, AbutRange range);
/* Reads an array of three numbers that must be present. */
void abut_scene_require_vector(const AbutNode *node, const char *key, AbutRange range, double out[3]);
/* Reads an array of rows of `width` numbers (of numbers if `width` is 1) that must be present. The caller frees the
 * values. NULL after an error. */
double *abut_scene_read_rows(const AbutNode *node, const char *key, int width, int *n);
/* Reads `mass_properties`; false if there are none, or after an error. */
bool abut_scene_read_mass_properties(const AbutNode *node, AbutMassProperties *out);
/* Returns the value of a string node in the table of names, -1 after an error. `what` is such as "shape". */
int abut_scene_read_reference(const AbutNode *node, const char *what, const AbutNames *known);

#endif
