/* Creates triangle meshes from arrays: one block with the mesh and copies of the arrays. */
#include "abut/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "shapes/core/inputs.h"

static AbutStatus check_lists(int n_vertices, const double *vertices, int n_triangles, const int *triangles,
                              AbutError *error)
{
	if (n_vertices < 1 || !vertices) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "vertices",
		                      "vertices has %d points; it must have at least 1 and not be NULL", n_vertices);
	}
	if (n_triangles < 0 || (n_triangles > 0 && !triangles)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "triangles",
		                      "triangles has %d triangles; it must have at least 0 and not be NULL",
		                      n_triangles);
	}
	return ABUT_OK;
}

static AbutStatus check_vertices(int n, const double *vertices, AbutError *error)
{
	for (int i = 0; i < n; i++) {
		const double *p = &vertices[3 * (size_t)i];
		const bool fits = fabs(p[0]) <= ABUT_LENGTH_MAX && fabs(p[1]) <= ABUT_LENGTH_MAX &&
		                  fabs(p[2]) <= ABUT_LENGTH_MAX; /* also false for NaN */
		if (!fits) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, "vertices",
			                      "vertices[%d] is (%g, %g, %g); coordinates must be finite and at most %g "
			                      "in size (metres)",
			                      i, p[0], p[1], p[2], ABUT_LENGTH_MAX);
		}
	}
	return ABUT_OK;
}

static AbutStatus check_triangles(int n, const int *triangles, int n_vertices, AbutError *error)
{
	for (size_t i = 0; i < 3 * (size_t)n; i++) {
		if (triangles[i] < 0 || triangles[i] >= n_vertices) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, "triangles",
			                      "triangles[%zu] refers to vertex %d; there are vertices 0 to %d", i / 3,
			                      triangles[i], n_vertices - 1);
		}
	}
	return ABUT_OK;
}

AbutStatus abut_mesh_create(int n_vertices, const double *vertices, int n_triangles, const int *triangles,
                            AbutMesh **out, AbutError *error)
{
	if (!out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "out",
		                      "out is NULL; it must point to the variable that receives the mesh");
	}
	*out = NULL;
	ABUT_TRY(check_lists(n_vertices, vertices, n_triangles, triangles, error));
	ABUT_TRY(check_vertices(n_vertices, vertices, error));
	ABUT_TRY(check_triangles(n_triangles, triangles, n_vertices, error));
	const size_t doubles = 3 * (size_t)n_vertices * sizeof *vertices;
	const size_t ints = 3 * (size_t)n_triangles * sizeof *triangles;
	AbutMesh *const mesh = malloc(sizeof *mesh + doubles + ints);
	if (!mesh) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a mesh of %d triangles",
		                      n_triangles);
	}
	double *const points = (double *)(mesh + 1);
	void *const after = points + 3 * (size_t)n_vertices;
	int *const corners = after;
	memcpy(points, vertices, doubles);
	if (n_triangles > 0) {
		memcpy(corners, triangles, ints);
	}
	*mesh = (AbutMesh){n_vertices, n_triangles, points, corners};
	*out = mesh;
	return ABUT_OK;
}

void abut_mesh_destroy(AbutMesh *mesh)
{
	free(mesh);
}
