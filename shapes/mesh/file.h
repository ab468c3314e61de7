/* The triangles of a file as they are: what reads files (shapes/mesh/assimp.c, or shapes/mesh/assimp_missing.c in a
 * library built without Assimp), behind the checks of abut_mesh_load. */
#ifndef SHAPES_MESH_FILE_H
#define SHAPES_MESH_FILE_H

#include "abut/mesh.h"

/* Whether the name of a file ends so, in capitals or not; `ending` is in small letters, with its dot. */
bool abut_has_ending(const char *path, const char *ending);

enum { ABUT_MESH_TRIANGLES_MAX = 50000000 };

/* `path` is a file of some content that is no image. Fills what `report` says about the file. Points that are equal are
 * one; nothing else is repaired. */
AbutStatus abut_mesh_read(const char *path, const AbutMeshOptions *options, AbutMesh **out, AbutMeshReport *report,
                          AbutError *error);
/* The same in a process of its own (shapes/mesh/apart.c), whose end is an error, and no more. */
AbutStatus abut_mesh_read_apart(const char *path, const AbutMeshOptions *options, AbutMesh **out,
                                AbutMeshReport *report, AbutError *error);

#endif
