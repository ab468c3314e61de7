/* Reads shapes composed of other shapes. */
#pragma once

#include "abut/bundle.h"
#include "io/json/node.h"

/* Each function reads the keys of its object and, if they are correct, makes the bundle. It returns errors of the
 * constructor; errors in the file are recorded in the reader. */
AbutStatus abut_scene_read_union(const AbutNode *node, AbutBundle **out, AbutError *error);
AbutStatus abut_scene_read_minkowski_sum(const AbutNode *node, AbutBundle **out, AbutError *error);
AbutStatus abut_scene_read_intersection(const AbutNode *node, AbutBundle **out, AbutError *error);
