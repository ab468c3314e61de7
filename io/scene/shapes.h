/* Readers of shapes that stand for several: each reads the keys of the object and, when they are right, makes the
 * bundle. An error of a constructor is returned, one of the file sticks in the reader. */
#ifndef IO_SCENE_SHAPES_H
#define IO_SCENE_SHAPES_H

#include "io/scene/internal.h"

AbutStatus abut_scene_read_union(const AbutNode *node, AbutBundle **out, AbutError *error);
AbutStatus abut_scene_read_minkowski_sum(const AbutNode *node, AbutBundle **out, AbutError *error);
AbutStatus abut_scene_read_intersection(const AbutNode *node, AbutBundle **out, AbutError *error);
/* The polytope of a mesh, or the hulls of its parts. */
AbutStatus abut_scene_read_mesh(const AbutNode *node, AbutBundle **out, AbutError *error);

/* The object's `mass_properties`; false when it has none, or after an error. */
bool abut_scene_read_mass_properties(const AbutNode *node, AbutMassProperties *out);
/* An array of rows of `width` numbers (a single number when 1); the caller frees the values. NULL after an error. */
double *abut_scene_read_rows(const AbutNode *node, const char *key, int width, int *n);

AbutStatus abut_scene_read_conic(const AbutNode *node, AbutShape **out, AbutError *error);

#endif
