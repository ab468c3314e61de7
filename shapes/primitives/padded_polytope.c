/* Polytope padded by a ball of radius R: p - eps in the core, |eps| <= alpha R. With the core's rows h + alpha d - A p,
 *     s1 = h + alpha d - A (p - eps) >= 0,
 *     s2 = (alpha R, eps) in Q4,
 * so that it scales about the core's centre. */
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/core/conic.h"
#include "shapes/core/inputs.h"
#include "shapes/core/mass.h"
#include "shapes/hull/mass.h"
#include "shapes/primitives/polytope.h"

static AbutStatus check_core(const AbutShape *core, AbutError *error)
{
	if (!core) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "core", "core is NULL; it must be a box or polytope");
	}
	if (core->kind != ABUT_SHAPE_BOX && core->kind != ABUT_SHAPE_POLYTOPE) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "core", "core is a %s; it must be a box or polytope",
		                      abut_shape_kind_name(core->kind));
	}
	return ABUT_OK;
}

static void fill_rows(AbutShape *shape, const AbutShape *core, double radius)
{
	const int m = core->n_rows;
	double *A = abut_shape_edit(shape->A), *B = abut_shape_edit(shape->B), *d = abut_shape_edit(shape->d),
	       *h = abut_shape_edit(shape->h);
	memcpy(A, core->A, (size_t)m * 3 * sizeof *A);
	memcpy(d, core->d, (size_t)m * sizeof *d);
	memcpy(h, core->h, (size_t)m * sizeof *h);
	for (int i = 0; i < 3 * m; i++) {
		B[i] = -core->A[i];
	}
	d[m] = radius;
	for (int i = 0; i < 3; i++) {
		B[3 * (m + 1 + i) + i] = -1.0;
	}
}

AbutStatus abut_shape_create_padded_polytope(const AbutShape *core, double radius, AbutShape **out, AbutError *error)
{
	AbutStatus status = abut_shape_check_out(out, error);
	ABUT_THEN(status, check_core(core, error));
	ABUT_THEN(status, abut_shape_check_length(radius, "radius", error));
	AbutHull *hull = NULL;
	ABUT_THEN(status, abut_polytope_hull(core, &hull, error));
	AbutShape *shape = NULL;
	ABUT_THEN(status, abut_shape_allocate(ABUT_SHAPE_PADDED_POLYTOPE, core->n_rows, 1, (const int[]){4}, 3,
	                                      hull->n_vertices, &shape, error));
	if (status != ABUT_OK) {
		abut_hull_destroy(hull);
		return status;
	}
	fill_rows(shape, core, radius);
	memcpy(abut_shape_edit(shape->vertices), hull->vertices, (size_t)hull->n_vertices * 3 * sizeof(double));
	shape->mass = abut_mass_hull(hull, radius);
	abut_hull_destroy(hull);
	abut_mass_move(&shape->mass, core->rotation, core->position);
	memcpy(shape->rotation, core->rotation, sizeof shape->rotation);
	abut_copy3(core->position, shape->position);
	abut_copy3(core->centre, shape->centre);
	shape->size[0] = radius;
	shape->coplanar = core->coplanar;
	shape->outer_radius = core->outer_radius + radius;
	shape->inner_radius = core->inner_radius + radius;
	*out = shape;
	return ABUT_OK;
}
