/* Fuzzes meshes from arrays: repair, warnings, mass, hull and convex parts. */
#include <math.h>
#include <string.h>

#include "abut/decompose.h"
#include "fuzz.h"

enum { VERTICES_MAX = 32, TRIANGLES_MAX = 64 };

/* Reads the next byte of the input; 0 after its end. */
static unsigned next(const uint8_t **at, const uint8_t *end)
{
	return *at < end ? *(*at)++ : 0;
}

/* Makes a mesh: the numbers of vertices and triangles, then coordinates, then indices. Coordinates are bytes of a grid,
 * so that coincident and coplanar points are common, or whole doubles. */
static AbutMesh *make_mesh(const uint8_t **at, const uint8_t *end)
{
	double vertices[3 * VERTICES_MAX];
	int triangles[3 * TRIANGLES_MAX];
	AbutMesh *mesh = NULL;
	AbutError error = {0};
	const unsigned n = 3 + next(at, end) % (VERTICES_MAX - 2), m = next(at, end) % (TRIANGLES_MAX + 1);
	const unsigned mode = next(at, end);
	const double unit = pow(10.0, (int)(mode / 4 % 16) - 8);
	for (unsigned i = 0; i < 3 * n; i++) {
		if (mode % 4 == 3 && end - *at >= (long)sizeof *vertices) {
			memcpy(&vertices[i], *at, sizeof *vertices);
			*at += sizeof *vertices;
		} else {
			vertices[i] = unit * ((int)next(at, end) - 128);
		}
	}
	for (unsigned i = 0; i < 3 * m; i++) {
		triangles[i] = (int)(next(at, end) % (n + (mode >= 250)));
	}
	fuzz_result(abut_mesh_create((int)n, vertices, (int)m, triangles, &mesh, &error), &error);
	return mesh;
}

static void check_mass(const AbutMassProperties *mass)
{
	FUZZ_CHECK(isfinite(mass->volume) && mass->volume > 0.0);
	for (int i = 0; i < 9; i++) {
		FUZZ_CHECK(isfinite(mass->inertia[i]) && isfinite(mass->centre_of_mass[i % 3]));
	}
}

static void measure(const AbutMesh *mesh, unsigned mode)
{
	AbutMassProperties mass;
	AbutShape *shape = NULL;
	AbutMeshHullReport report = {0};
	AbutError error = {0};
	if (fuzz_result(abut_mesh_mass(mesh, &mass, &error), &error)) {
		check_mass(&mass);
	}
	const AbutMeshFit fit = mode % 2 ? ABUT_MESH_FIT_INNER : ABUT_MESH_FIT_OUTER;
	if (fuzz_result(abut_mesh_hull(mesh, mode % 4 < 2 ? 0 : 4 + (int)mode / 16, fit, &shape, &report, &error),
	                &error)) {
		check_mass(&shape->mass);
		fuzz_result(abut_mesh_mass_in_hull(mesh, &shape->mass, &mass, &error), &error);
		check_mass(&mass);
	}
	abut_shape_destroy(shape);
}

static void divide(const AbutMesh *mesh)
{
	AbutDecomposition *parts = NULL;
	AbutError error = {0};
	const AbutDecomposeOptions options = {.concavity = 0.2, .max_parts = 4};
	if (fuzz_result(abut_mesh_decompose(mesh, &options, &parts, &error), &error)) {
		char warnings[ABUT_DECOMPOSITION_WARNINGS_MAX][ABUT_MESH_WARNING_SIZE];
		FUZZ_CHECK(parts->n_parts >= 1 && parts->n_parts <= options.max_parts);
		abut_decomposition_warnings(parts, warnings);
	}
	abut_decomposition_destroy(parts);
}

void fuzz_mesh_arrays(const uint8_t *data, size_t size)
{
	const uint8_t *at = data;
	const unsigned mode = next(&at, data + size);
	AbutMesh *const mesh = make_mesh(&at, data + size), *repaired = NULL;
	AbutMeshOptions options = abut_mesh_options_default();
	AbutMeshReport report = {0};
	AbutError error = {0};
	options.weld = mode & 64 ? 1e-2 : options.weld;
	if (mesh) {
		measure(mesh, mode);
	}
	if (mesh && fuzz_result(abut_mesh_repair(mesh, &options, &repaired, &report, &error), &error)) {
		char warnings[ABUT_MESH_WARNINGS_MAX][ABUT_MESH_WARNING_SIZE];
		FUZZ_CHECK(abut_mesh_warnings(&report, warnings) <= ABUT_MESH_WARNINGS_MAX);
		measure(repaired, mode);
		if (mode >= 192) {
			divide(repaired);
		}
	}
	abut_mesh_destroy(repaired);
	abut_mesh_destroy(mesh);
}
