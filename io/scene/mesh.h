/* Reads shapes of type "mesh". */
#pragma once

#include "abut/bundle.h"
#include "io/json/node.h"

/* Makes the polytope of a mesh, or the hulls of its parts. Errors are handled as in io/scene/composite.h. */
AbutStatus abut_scene_read_mesh(const AbutNode *node, AbutBundle **out, AbutError *error);
