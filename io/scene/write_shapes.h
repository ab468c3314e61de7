/* Writing shapes as the objects of a scene file that make them. Errors of writing stay in the FILE. */
#ifndef IO_SCENE_WRITE_SHAPES_H
#define IO_SCENE_WRITE_SHAPES_H

#include <stdio.h>

#include "abut/shape.h"

/* Writes a shape: the numbers of its constructor, with its place in the body frame. */
void abut_scene_write_shape(FILE *file, const AbutShape *shape);
/* Writes a shape without its braces, the type first. */
void abut_scene_write_shape_keys(FILE *file, const AbutShape *shape);
/* Writes a union without its braces. `mass` is the mass of the body that its parts approximate, NULL if they have their
 * own. */
void abut_scene_write_union_keys(FILE *file, int n, const AbutShape *const *parts, const AbutMassProperties *mass);
/* Writes the parts of a body: its one shape, or a union if there are several or a mass (NULL: none). */
void abut_scene_write_parts(FILE *file, int n, const AbutShape *const *parts, const AbutMassProperties *mass);
/* Writes `, "KEY": ` and a number, an array of n, or `n` rows as arrays. */
void abut_scene_write_number(FILE *file, const char *key, double value);
void abut_scene_write_vector(FILE *file, const char *key, const double *values, int n);
void abut_scene_write_matrix(FILE *file, const char *key, const double *values, int n, int columns);

#endif
