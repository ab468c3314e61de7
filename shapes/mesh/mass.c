/* Computes the mass of the solid that a mesh encloses. Over a closed surface, the signed tetrahedra between a point and
 * the triangles add up to the solid (divergence theorem). The point is the middle of the bounding box, which saves
 * digits if the mesh is far from the origin. tests/shapes/mesh/mesh_mass.c compares with closed forms. */
#include <stddef.h>

#include "abut/mesh.h"
#include "base/error.h"
#include "base/vec3.h"
#include "shapes/core/mass.h"
#include "shapes/geometry/mesh_edges.h"
#include "shapes/geometry/surface.h"

/* Smallest volume that is more than rounding, relative to the cube of half the size. */
#define LEAST_VOLUME 1e-9

/* Relative volume by which a convex mesh may exceed its hull, whose nearly coplanar facets are merged. */
#define MORE_THAN_HULL 1e-5

static void middle_of(const AbutMesh *mesh, double middle[3], double *radius)
{
	double low[3], high[3];
	abut_points_bounds(mesh->n_vertices, mesh->vertices, low, high);
	*radius = 0.0;
	for (int k = 0; k < 3; k++) {
		middle[k] = 0.5 * (low[k] + high[k]);
		*radius = abut_max(*radius, 0.5 * (high[k] - low[k]));
	}
}

static void add_all(const AbutMesh *mesh, const double middle[3], AbutMoments *sum)
{
	for (int t = 0; t < mesh->n_triangles; t++) {
		double corner[3][3];
		for (int k = 0; k < 3; k++) {
			const double *p = &mesh->vertices[3 * (size_t)mesh->triangles[3 * (size_t)t + (size_t)k]];
			abut_sub3(p, middle, corner[k]);
		}
		abut_moments_add_triangle(sum, corner[0], corner[1], corner[2]);
	}
}

static AbutStatus check_closed(const AbutMesh *mesh, AbutError *error)
{
	AbutMeshEdges edges;
	if (mesh->n_triangles == 0) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "triangles",
		                      "points without triangles have no volume; use their hull");
	}
	if (!abut_mesh_edges_create(&edges, mesh->n_vertices, mesh->n_triangles, mesh->triangles)) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the edges of %d triangles",
		                      mesh->n_triangles);
	}
	const AbutMeshEdgeCount count = abut_mesh_edges_count(&edges, mesh->n_vertices);
	abut_mesh_edges_free(&edges);
	if (count.unbalanced > 0) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "triangles",
		                      "the mesh is not closed, so that it has no volume: %d edges have one triangle, "
		                      "%d three or more; close its holes in a mesh editor, or use its hull",
		                      count.open, count.nonmanifold);
	}
	return ABUT_OK;
}

AbutStatus abut_mesh_mass(const AbutMesh *mesh, AbutMassProperties *out, AbutError *error)
{
	if (!mesh || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "mesh and out must not be NULL");
	}
	ABUT_TRY(check_closed(mesh, error));
	double middle[3], radius;
	AbutMoments sum = {0};
	middle_of(mesh, middle, &radius);
	add_all(mesh, middle, &sum);
	if (!(sum.volume > LEAST_VOLUME * radius * radius * radius)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "triangles",
		                      "the mesh encloses %s: a volume of %g m^3 for a size of %g m; give it walls of "
		                      "some thickness that face outwards, or use its hull",
		                      sum.volume < 0.0 ? "less than nothing" : "nothing", sum.volume, 2.0 * radius);
	}
	*out = abut_mass_from_moments(&sum);
	abut_add3(out->centre_of_mass, middle, out->centre_of_mass);
	if (abut_mass_check(out, NULL) != ABUT_OK) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "triangles",
		                      "the inertia of the enclosed solid is impossible, because pieces face inwards; "
		                      "turn them outwards, or use the hull");
	}
	return ABUT_OK;
}

AbutStatus abut_mesh_mass_in_hull(const AbutMesh *mesh, const AbutMassProperties *hull, AbutMassProperties *out,
                                  AbutError *error)
{
	AbutMassProperties own = {.volume = 0.0};
	AbutStatus status = abut_mesh_mass(mesh, &own, error);
	if (status == ABUT_OK && own.volume > (1.0 + MORE_THAN_HULL) * hull->volume) {
		status = abut_error_set(error, ABUT_ERROR_ARGUMENT, "triangles",
		                        "the mesh encloses %g m^3, but its hull only %g m^3: pieces overlap and count "
		                        "twice; join them in a mesh editor, or use the hull",
		                        own.volume, hull->volume);
	}
	*out = status == ABUT_OK ? own : *hull;
	return status;
}
