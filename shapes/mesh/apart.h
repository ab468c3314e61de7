/* Reads a mesh file with Assimp in a separate process. */
#pragma once

#include "shapes/mesh/file.h"

/* Reads a file like abut_mesh_read, in a separate process (shapes/mesh/apart.c): a crash becomes an error. */
AbutStatus abut_mesh_read_apart(const char *path, const AbutMeshOptions *options, AbutMesh **out,
                                AbutMeshReport *report, AbutError *error);
