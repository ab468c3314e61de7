/* Refuses mesh files. Replaces shapes/mesh/assimp.c in a library without Assimp. */
#include <stddef.h>

#include "base/error.h"
#include "shapes/mesh/assimp.h"
#include "shapes/mesh/file.h"

AbutStatus abut_mesh_read(const char *path, const AbutMeshOptions *options, AbutMesh **out, AbutMeshReport *report,
                          AbutError *error)
{
	(void)path;
	(void)options;
	(void)report;
	*out = NULL;
	return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
	                      "this library was built without Assimp, which reads meshes; install libassimp-dev and "
	                      "build with -DABUT_ASSIMP=ON");
}
