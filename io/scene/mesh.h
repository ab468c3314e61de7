/* Reads shapes of type "mesh". */
#ifndef IO_SCENE_MESH_H
#define IO_SCENE_MESH_H

#include "abut/bundle.h"
#include "io/json/node.h"

/* Makes the polytope of a mesh, or the hulls of its parts. Errors are handled as in io/scene/composite.h. */
AbutStatus abut_scene_read_mesh(const AbutNode *node, AbutBundle **out, AbutError *error);

#endif
