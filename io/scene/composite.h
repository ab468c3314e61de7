/* Reading shapes that are made of others. */
#ifndef IO_SCENE_COMPOSITE_H
#define IO_SCENE_COMPOSITE_H

#include "abut/bundle.h"
#include "io/json/node.h"

/* Each reads the keys of its object and, if they are right, makes the bundle. Returns an error of the constructor; an
 * error in the file sticks in the reader. */
AbutStatus abut_scene_read_union(const AbutNode *node, AbutBundle **out, AbutError *error);
AbutStatus abut_scene_read_minkowski_sum(const AbutNode *node, AbutBundle **out, AbutError *error);
AbutStatus abut_scene_read_intersection(const AbutNode *node, AbutBundle **out, AbutError *error);

#endif
