/* Allocates and frees meshes of triangles. */
#include "io/mesh/triangles.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/text/file_text.h"

AbutStatus abut_shape_mesh_allocate(AbutShapeMesh *mesh, int n_vertices, int n_triangles, AbutError *error)
{
	mesh->n_vertices = n_vertices;
	mesh->n_triangles = n_triangles;
	mesh->positions = calloc((size_t)n_vertices, 3 * sizeof *mesh->positions);
	mesh->normals = calloc((size_t)n_vertices, 3 * sizeof *mesh->normals);
	mesh->triangles = calloc((size_t)n_triangles, 3 * sizeof *mesh->triangles);
	if (mesh->positions && mesh->normals && mesh->triangles) {
		return ABUT_OK;
	}
	abut_shape_mesh_free(mesh);
	return abut_fail_memory(error, "the mesh of a shape");
}

void abut_shape_mesh_free(AbutShapeMesh *mesh)
{
	free(mesh->positions);
	free(mesh->normals);
	free(mesh->triangles);
	memset(mesh, 0, sizeof *mesh);
}
