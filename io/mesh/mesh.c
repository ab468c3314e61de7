/* Makes the triangles of a shape according to its kind, and the plate of a halfspace. */
#include "io/mesh/mesh.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "io/mesh/hull.h"
#include "io/mesh/round.h"

/* Moves a mesh from the shape's own frame to the body frame. */
static void place(const AbutShape *shape, AbutShapeMesh *mesh)
{
	for (int i = 0; i < mesh->n_vertices; i++) {
		double *p = &mesh->positions[3 * i], *n = &mesh->normals[3 * i], turned[3];
		abut_mat3_vec(shape->rotation, p, turned);
		abut_add3(turned, shape->position, p);
		abut_mat3_vec(shape->rotation, n, turned);
		abut_copy3(turned, n);
	}
}

AbutStatus abut_shape_mesh_create(const AbutShape *shape, AbutShapeMesh *out, AbutError *error)
{
	memset(out, 0, sizeof *out);
	AbutStatus status;
	switch (shape->kind) {
	case ABUT_SHAPE_BOX:
	case ABUT_SHAPE_POLYTOPE:
		status = abut_shape_mesh_faces(shape, out, error);
		break;
	case ABUT_SHAPE_SPHERE:
	case ABUT_SHAPE_ELLIPSOID:
	case ABUT_SHAPE_CAPSULE:
	case ABUT_SHAPE_CYLINDER:
	case ABUT_SHAPE_CONE:
		status = abut_shape_mesh_round(shape, out, error);
		break;
	case ABUT_SHAPE_PADDED_POLYTOPE:
	case ABUT_SHAPE_MINKOWSKI_SUM:
	case ABUT_SHAPE_INTERSECTION:
	case ABUT_SHAPE_CONIC:
	case ABUT_SHAPE_SMOOTH:
		status = abut_shape_mesh_sampled(shape, out, error);
		break;
	case ABUT_SHAPE_HALFSPACE:
	case ABUT_SHAPE_COUNT:
	default:
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "a %s has no boundary of finite size; a bounded shape is needed",
		                      abut_shape_kind_name(shape->kind));
	}
	if (status == ABUT_OK) {
		place(shape, out);
	}
	return status;
}

/* Computes unit vectors u and v such that (u, v, w) is a right-handed frame. */
static void complete_frame(const double w[3], double u[3], double v[3])
{
	const double e[3] = {fabs(w[0]) < 0.7 ? 1.0 : 0.0, fabs(w[0]) < 0.7 ? 0.0 : 1.0, 0.0};
	const double along = abut_dot3(e, w);
	abut_add_scaled3(e, -along, w, u);
	const double length = abut_norm3(u);
	abut_divide3(u, length, u);
	abut_cross3(w, u, v);
}

AbutStatus abut_shape_mesh_plate(const AbutShape *shape, const double about[3], double half_size, AbutShapeMesh *out,
                                 AbutError *error)
{
	memset(out, 0, sizeof *out);
	if (shape->kind != ABUT_SHAPE_HALFSPACE) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "a plate needs a halfspace, not a %s",
		                      abut_shape_kind_name(shape->kind));
	}
	ABUT_TRY(abut_shape_mesh_allocate(out, 4, 2, error));
	/* the row of the halfspace is s = h - n . p */
	const double *n = shape->A;
	const double depth = shape->h[0] - abut_dot3(n, about);
	double u[3], v[3];
	complete_frame(n, u, v);
	static const double corners[4][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
	static const int triangles[6] = {0, 1, 2, 0, 2, 3};
	for (int c = 0; c < 4; c++) {
		for (int i = 0; i < 3; i++) {
			out->positions[3 * c + i] =
			    about[i] + depth * n[i] + half_size * (corners[c][0] * u[i] + corners[c][1] * v[i]);
			out->normals[3 * c + i] = n[i];
		}
	}
	memcpy(out->triangles, triangles, sizeof triangles);
	return ABUT_OK;
}
