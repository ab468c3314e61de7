/* Writing a definition as a scene file. */
#ifndef IO_SCENE_WRITE_H
#define IO_SCENE_WRITE_H

#include <stdio.h>

#include "abut/scene.h"

/* The scene as JSON, with a line feed at its end. Errors of writing stay in the FILE. ABUT_ERROR_UNSUPPORTED: a body of
 * several parts, which version 1 of the scene file cannot hold; `error` (may be NULL) names it. */
AbutStatus abut_scene_write(FILE *file, const AbutSceneDef *def, AbutError *error);

/* A shape as an object: its constructor's numbers, with its place in the body frame. */
void abut_scene_write_shape(FILE *file, const AbutShape *shape);
/* `, "KEY": ` before a number, or an array of n. */
void abut_scene_write_number(FILE *file, const char *key, double value);
void abut_scene_write_vector(FILE *file, const char *key, const double *values, int n);

#endif
