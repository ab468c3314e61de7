/* Reads the triangles of a file (shapes/mesh/assimp.c, or shapes/mesh/assimp_missing.c in a library without Assimp),
 * after the checks of abut_mesh_load. */
#pragma once

#include "abut/mesh.h"

/* Returns whether the name of a file has this ending, ignoring case; `ending` is in lower case and includes the dot. */
bool abut_has_ending(const char *path, const char *ending);

enum { ABUT_MESH_TRIANGLES_MAX = 50000000 };
