/* Mass of what a mesh encloses: over a closed surface the tetrahedra between a point and its triangles, signed, add up
 * to the solid (the divergence theorem). The point is the middle of the bounding box, which spares digits when the mesh
 * lies far from the origin. tests/shapes/mesh/mesh_mass.c compares with closed forms. */
#include <math.h>
#include <stddef.h>

#include "abut/mesh.h"
#include "base/error.h"
#include "base/vec3.h"
#include "shapes/core/mass.h"
#include "shapes/geometry/mesh_edges.h"
#include "shapes/geometry/surface.h"

/* Least volume that is one, as a part of that of a ball of the same size: less is rounding. */
#define LEAST_VOLUME 1e-9

/* A convex mesh may be this part larger than its hull, whose nearly coplanar facets are one. */
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
			for (int axis = 0; axis < 3; axis++) {
				corner[k][axis] = p[axis] - middle[axis];
			}
		}
		abut_moments_add_triangle(sum, corner[0], corner[1], corner[2]);
	}
}

static AbutStatus check_closed(const AbutMesh *mesh, AbutError *error)
{
	AbutMeshEdges edges;
	if (mesh->n_triangles == 0) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "triangles",
		                      "a cloud of points without triangles has no volume of its own; take its hull's");
	}
	if (!abut_mesh_edges_create(&edges, mesh->n_vertices, mesh->n_triangles, mesh->triangles)) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the edges of %d triangles",
		                      mesh->n_triangles);
	}
	const AbutMeshEdgeCount count = abut_mesh_edges_count(&edges, mesh->n_vertices);
	abut_mesh_edges_free(&edges);
	if (count.unbalanced > 0) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "triangles",
		                      "the mesh is not closed, so that it has no volume: %d edges are of one triangle, "
		                      "%d of three or more; close its holes in a mesh editor, or take its hull's",
		                      count.open, count.nonmanifold);
	}
	return ABUT_OK;
}

AbutStatus abut_mesh_mass(const AbutMesh *mesh, AbutMassProperties *out, AbutError *error)
{
	if (!mesh || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "mesh and out must not be NULL");
	}
	const AbutStatus status = check_closed(mesh, error);
	if (status != ABUT_OK) {
		return status;
	}
	double middle[3], radius;
	AbutMoments sum = {0};
	middle_of(mesh, middle, &radius);
	add_all(mesh, middle, &sum);
	if (!(sum.volume > LEAST_VOLUME * radius * radius * radius)) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, "triangles",
		    "the mesh encloses %s: a volume of %g m^3 for a size of %g m; give it walls of some "
		    "thickness, facing outwards, or take its hull's",
		    sum.volume < 0.0 ? "less than nothing" : "nothing", sum.volume, 2.0 * radius);
	}
	*out = abut_mass_from_moments(&sum);
	for (int k = 0; k < 3; k++) {
		out->centre_of_mass[k] += middle[k];
	}
	if (abut_mass_check(out, NULL) != ABUT_OK) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, "triangles",
		    "the inertia of what the mesh encloses is that of no body, as pieces face inwards; "
		    "turn them outwards, or take its hull's");
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
		                        "the mesh encloses %g m^3, and its hull only %g m^3: pieces overlap and count "
		                        "twice; join them in a mesh editor, or take its hull's",
		                        own.volume, hull->volume);
	}
	*out = status == ABUT_OK ? own : *hull;
	return status;
}
