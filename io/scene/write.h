/* Writing a definition as a scene file. */
#ifndef IO_SCENE_WRITE_H
#define IO_SCENE_WRITE_H

#include <stdio.h>

#include "abut/scene.h"

/* The scene as JSON, with a line feed at its end. Errors of writing stay in the FILE. ABUT_ERROR_UNSUPPORTED: a body
 * with a shape of a program's functions, which a scene file cannot hold; `error` (may be NULL) names it. */
AbutStatus abut_scene_write(FILE *file, const AbutSceneDef *def, AbutError *error);

/* A shape as an object: its constructor's numbers, with its place in the body frame. */
void abut_scene_write_shape(FILE *file, const AbutShape *shape);
/* The same without its braces, the type first. */
void abut_scene_write_shape_keys(FILE *file, const AbutShape *shape);
/* A union in the same way, with the mass of what it stands for (NULL: its own). */
void abut_scene_write_union_keys(FILE *file, int n, const AbutShape *const *parts, const AbutMassProperties *mass);
/* The parts of a body: the object of its one shape, or a union where there are several or a mass (NULL: none). */
void abut_scene_write_parts(FILE *file, int n, const AbutShape *const *parts, const AbutMassProperties *mass);
/* `, "KEY": ` before a number, or an array of n. */
void abut_scene_write_number(FILE *file, const char *key, double value);
void abut_scene_write_vector(FILE *file, const char *key, const double *values, int n);

#endif
