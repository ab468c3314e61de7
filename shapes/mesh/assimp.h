/* Reads mesh files with Assimp. */
#pragma once

#include "shapes/mesh/file.h"

/* Reads a file that is not empty and not an image. Fills the part of `report` about the file. Merges equal points, but
 * repairs nothing else. */
AbutStatus abut_mesh_read(const char *path, const AbutMeshOptions *options, AbutMesh **out, AbutMeshReport *report,
                          AbutError *error);
