/* Converts a mesh to a polytope: computes its hull by qhull, then reduces the number of faces. */
#include <stdlib.h>

#include "abut/mesh.h"
#include "base/error.h"
#include "shapes/core/watch.h"
#include "shapes/hull/mass.h"
#include "shapes/hull/reduce_inner.h"
#include "shapes/hull/reduce_outer.h"
#include "shapes/primitives/polytope.h"

static AbutStatus reduce_outer(const AbutMesh *mesh, const AbutHull *hull, int most, AbutShape **out, double *distance,
                               const AbutWatch *watch, AbutError *error)
{
	AbutHalfspaces found = {.m = 0};
	AbutStatus status =
	    abut_hull_reduce_outer(hull, mesh->n_vertices, mesh->vertices, most, &found, distance, watch, error);
	ABUT_THEN(status, abut_shape_create_polytope(found.m, found.A, found.b, out, error));
	free(found.A);
	free(found.b);
	return status;
}

static AbutStatus reduce_inner(const AbutHull *hull, int most, AbutShape **out, double *distance,
                               const AbutWatch *watch, AbutError *error)
{
	AbutHull *reduced = NULL;
	AbutStatus status = abut_hull_reduce_inner(hull, most, ABUT_MESH_COPLANAR, &reduced, distance, watch, error);
	ABUT_THEN(status, abut_polytope_from_hull(reduced, ABUT_MESH_COPLANAR, "mesh", out, error));
	abut_hull_destroy(reduced);
	return status;
}

static AbutStatus check(const AbutMesh *mesh, int max_faces, AbutMeshFit fit, AbutShape **out, AbutError *error)
{
	if (!mesh || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "mesh and out must not be NULL");
	}
	*out = NULL;
	if (max_faces != 0 && max_faces < 4) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "max_faces",
		                      "max_faces is %d; it must be at least 4, or 0 for no limit", max_faces);
	}
	if (fit != ABUT_MESH_FIT_OUTER && fit != ABUT_MESH_FIT_INNER) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "fit",
		                      "fit is %d; it must be %d (outer) or %d (inner)", (int)fit, ABUT_MESH_FIT_OUTER,
		                      ABUT_MESH_FIT_INNER);
	}
	if (mesh->n_vertices < 4) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "mesh",
		                      "the mesh has %d different points; a solid needs at least 4", mesh->n_vertices);
	}
	return ABUT_OK;
}

AbutStatus abut_mesh_hull(const AbutMesh *mesh, int max_faces, AbutMeshFit fit, AbutShape **out,
                          AbutMeshHullReport *report, AbutError *error)
{
	return abut_mesh_hull_with_progress(mesh, max_faces, fit, NULL, NULL, out, report, error);
}

AbutStatus abut_mesh_hull_with_progress(const AbutMesh *mesh, int max_faces, AbutMeshFit fit,
                                        AbutMeshProgress *progress, void *context, AbutShape **out,
                                        AbutMeshHullReport *report, AbutError *error)
{
	const AbutWatch watch = {progress, context};
	AbutStatus status = check(mesh, max_faces, fit, out, error);
	AbutHull *hull = NULL;
	double distance = 0.0;
	ABUT_THEN(status, abut_watch_check(&watch, "hull", -1.0, error));
	ABUT_THEN(status, abut_hull_create_watched(mesh->n_vertices, mesh->vertices, ABUT_MESH_COPLANAR, ABUT_HULL_FLAT,
	                                           "mesh", &watch, &hull, error));
	if (status != ABUT_OK) {
		return status;
	}
	if (max_faces == 0 || hull->n_faces <= max_faces) {
		status = abut_polytope_from_hull(hull, ABUT_MESH_COPLANAR, "mesh", out, error);
	} else if (fit == ABUT_MESH_FIT_OUTER) {
		status = reduce_outer(mesh, hull, max_faces, out, &distance, &watch, error);
	} else {
		status = reduce_inner(hull, max_faces, out, &distance, &watch, error);
	}
	if (status == ABUT_OK && report) {
		*report = (AbutMeshHullReport){.faces = hull->n_faces,
		                               .vertices = hull->n_vertices,
		                               .reduced_faces = (*out)->n_rows,
		                               .reduced_vertices = (*out)->n_vertices,
		                               .hull = abut_mass_hull(hull, 0.0),
		                               .reduced = (*out)->mass,
		                               .hausdorff = distance};
	}
	abut_hull_destroy(hull);
	return status;
}
