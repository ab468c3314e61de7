/* Fuzzes mesh files. The first byte of the input chooses the format. */
#include "abut/mesh.h"
#include "fuzz.h"

static const char *const names[] = {"mesh.stl", "mesh.obj", "mesh.ply",  "mesh.off",
                                    "mesh.dae", "mesh.glb", "mesh.gltf", "mesh.3ds"};

void fuzz_mesh_file(const uint8_t *data, size_t size)
{
	AbutMesh *mesh = NULL;
	AbutMeshReport report = {0};
	AbutError error = {0};
	const AbutMeshOptions options = abut_mesh_options_default();
	if (size == 0) {
		return;
	}
	const char *const path = fuzz_write(names[data[0] % (sizeof names / sizeof *names)], data + 1, size - 1);
	if (fuzz_result(abut_mesh_load(path, &options, &mesh, &report, &error), &error)) {
		char warnings[ABUT_MESH_WARNINGS_MAX][ABUT_MESH_WARNING_SIZE];
		AbutShape *shape = NULL;
		abut_mesh_warnings(&report, warnings);
		fuzz_result(abut_mesh_hull(mesh, 0, ABUT_MESH_FIT_OUTER, &shape, NULL, &error), &error);
		abut_shape_destroy(shape);
	}
	abut_mesh_destroy(mesh);
}
