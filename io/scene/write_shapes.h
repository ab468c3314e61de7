/* Writes shapes as the objects of a scene file that create them. Errors of writing remain in the FILE (ferror). */
#pragma once

#include <stdio.h>

#include "abut/shape.h"

/* Writes a shape: the arguments of its constructor and its pose in the body frame. */
void abut_scene_write_shape(FILE *file, const AbutShape *shape);
/* Writes a shape without braces, the type first. */
void abut_scene_write_shape_keys(FILE *file, const AbutShape *shape);
/* Writes a union without braces. `mass` holds the mass properties of the body that the parts approximate; NULL if the
 * parts have their own. */
void abut_scene_write_union_keys(FILE *file, int n, const AbutShape *const *parts, const AbutMassProperties *mass);
/* Writes the parts of a body as a single shape, or as a union if there are several parts or `mass` is not NULL. */
void abut_scene_write_parts(FILE *file, int n, const AbutShape *const *parts, const AbutMassProperties *mass);
/* Each function writes `, "KEY": ` and a number, an array of `n` numbers, or `n` rows as arrays. */
void abut_scene_write_number(FILE *file, const char *key, double value);
void abut_scene_write_vector(FILE *file, const char *key, const double *values, int n);
void abut_scene_write_matrix(FILE *file, const char *key, const double *values, int n, int columns);
/* Writes an array of two names. */
void abut_scene_write_pair(FILE *file, const char *a, const char *b);
