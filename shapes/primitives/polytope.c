/* Creates polytopes { p : A p <= b }, rows of unit length, scaled about its centre of mass c:
 *     s = A c + alpha (b - A c) - A p >= 0,
 * which is (alpha b - A p >= 0) recentred at c. Halfspaces are converted through the vertices of their intersection, so
 * that redundant rows drop out and the mass is known; the remaining rows are the user's own. */
#include "shapes/primitives/polytope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/core/conic.h"
#include "shapes/core/inputs.h"
#include "shapes/hull/halfspaces.h"
#include "shapes/hull/mass.h"

/* Refuses a list that is NULL, too short or too long for a polytope. */
static AbutStatus check_list(int n, const double *values, const char *what, const char *name, AbutError *error)
{
	if (n < 4 || n > ABUT_POLYTOPE_MAX) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, name, "%s holds %d %s; a polytope needs 4 to %d",
		                      name, n, what, ABUT_POLYTOPE_MAX);
	}
	if (!values) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, name, "%s is NULL; it must hold %d %s", name, n,
		                      what);
	}
	return ABUT_OK;
}

static AbutStatus check_vertices(int n, const double *vertices, AbutError *error)
{
	ABUT_TRY(check_list(n, vertices, "points", "vertices", error));
	for (int i = 0; i < n; i++) {
		const double *p = &vertices[3 * i];
		if (!(fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2]))) <= ABUT_LENGTH_MAX) || !abut_all_finite(p, 3)) {
			return abut_error_set(
			    error, ABUT_ERROR_ARGUMENT, "vertices",
			    "vertices[%d] is (%g, %g, %g); coordinates must be finite and at most %g in "
			    "size (metres)",
			    i, p[0], p[1], p[2], ABUT_LENGTH_MAX);
		}
	}
	return ABUT_OK;
}

/* Scales A and b to `rows` (m x 3) of unit length and `offsets` (m). */
static AbutStatus normalise_rows(int m, const double *A, const double *b, double *rows, double *offsets,
                                 AbutError *error)
{
	for (int i = 0; i < m; i++) {
		const double *a = &A[3 * i];
		if (!abut_shape_unit_row(a, b[i], &rows[3 * i], &offsets[i])) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, "A",
			                      "A[%d] is (%g, %g, %g); a row must be finite and longer than 0", i, a[0],
			                      a[1], a[2]);
		}
		if (!(fabs(offsets[i]) <= 2.0 * ABUT_LENGTH_MAX)) {
			return abut_error_set(
			    error, ABUT_ERROR_ARGUMENT, "b",
			    "b[%d] is %g; it must be finite and, for a row of unit length, at most %g in "
			    "size (metres)",
			    i, b[i], 2.0 * ABUT_LENGTH_MAX);
		}
	}
	return ABUT_OK;
}

/* Replaces the rows that were computed from vertices by the user's rows, which are exact. If no user's row fits a face,
 * which only rounding can cause, the face keeps its own row. */
static void adopt_rows(AbutHull *hull, int m, const double *rows, const double *offsets)
{
	double size = 0.0;
	for (int i = 0; i < 3 * hull->n_vertices; i++) {
		size = fmax(size, fabs(hull->vertices[i] - hull->origin[i % 3]));
	}
	for (int f = 0; f < hull->n_faces; f++) {
		double *normal = &hull->normals[3 * f];
		int closest = 0;
		double best = -HUGE_VAL, gap = 0.0;
		for (int i = 0; i < m; i++) {
			const double cosine = abut_dot3(&rows[3 * i], normal);
			const double offset = offsets[i] - abut_dot3(&rows[3 * i], hull->origin);
			/* Of several parallel rows, take the one that touches the set. */
			if (cosine > best + 1e-12 ||
			    (cosine > best - 1e-12 && fabs(offset - hull->offsets[f]) < fabs(gap - hull->offsets[f]))) {
				best = fmax(best, cosine);
				closest = i;
				gap = offset;
			}
		}
		bool fits = true;
		for (int k = hull->face_start[f]; k < hull->face_start[f + 1]; k++) {
			const double *v = &hull->vertices[3 * hull->face_vertex[k]];
			const double step[3] = {v[0] - hull->origin[0], v[1] - hull->origin[1], v[2] - hull->origin[2]};
			fits = fits && fabs(gap - abut_dot3(&rows[3 * closest], step)) <= 10.0 * ABUT_COPLANAR * size;
		}
		if (fits) {
			abut_copy3(&rows[3 * closest], normal);
			hull->offsets[f] = gap;
		}
	}
}

AbutStatus abut_polytope_from_hull(const AbutHull *hull, double coplanar, const char *where, AbutShape **out,
                                   AbutError *error)
{
	AbutShape *shape = NULL;
	AbutStatus status =
	    abut_shape_allocate(ABUT_SHAPE_POLYTOPE, hull->n_faces, 0, NULL, 0, hull->n_vertices, &shape, error);
	if (status != ABUT_OK) {
		return status;
	}
	shape->mass = abut_mass_hull(hull, 0.0);
	shape->coplanar = coplanar;
	abut_copy3(shape->mass.centre_of_mass, shape->centre);
	const double *c = shape->centre;
	const double from_origin[3] = {c[0] - hull->origin[0], c[1] - hull->origin[1], c[2] - hull->origin[2]};
	double *A = abut_shape_edit(shape->A), *d = abut_shape_edit(shape->d), *h = abut_shape_edit(shape->h),
	       *vertices = abut_shape_edit(shape->vertices);
	memcpy(vertices, hull->vertices, (size_t)hull->n_vertices * 3 * sizeof *vertices);
	memcpy(A, hull->normals, (size_t)hull->n_faces * 3 * sizeof *A);
	shape->inner_radius = HUGE_VAL;
	for (int i = 0; i < hull->n_faces; i++) {
		d[i] = hull->offsets[i] - abut_dot3(&A[3 * i], from_origin);
		h[i] = abut_dot3(&A[3 * i], c);
		shape->inner_radius = fmin(shape->inner_radius, d[i]);
	}
	for (int i = 0; i < hull->n_vertices; i++) {
		const double *v = &vertices[3 * i];
		const double step[3] = {v[0] - c[0], v[1] - c[1], v[2] - c[2]};
		shape->outer_radius = fmax(shape->outer_radius, abut_norm3(step));
	}
	if (!(shape->outer_radius >= ABUT_LENGTH_MIN && shape->inner_radius > 0.0)) {
		status =
		    abut_error_set(error, ABUT_ERROR_ARGUMENT, where,
		                   "%s: the polytope lies between spheres of radii %g and %g about its centre of mass; "
		                   "the outer must be at least %g, the inner greater than 0 (metres)",
		                   where, shape->inner_radius, shape->outer_radius, ABUT_LENGTH_MIN);
		abut_shape_destroy(shape);
		return status;
	}
	*out = shape;
	return ABUT_OK;
}

AbutStatus abut_shape_create_polytope_coplanar(int n, const double *vertices, double coplanar, AbutShape **out,
                                               AbutError *error)
{
	AbutStatus status = abut_shape_check_out(out, error);
	if (status == ABUT_OK && !(coplanar >= 0.0 && coplanar <= ABUT_COPLANAR_MAX)) {
		status = abut_error_set(error, ABUT_ERROR_ARGUMENT, "coplanar", "coplanar is %g; it must be 0 to %g",
		                        coplanar, ABUT_COPLANAR_MAX);
	}
	ABUT_THEN(status, check_vertices(n, vertices, error));
	AbutHull *hull = NULL;
	ABUT_THEN(status, abut_hull_create(n, vertices, coplanar, ABUT_HULL_FLAT, "vertices", &hull, error));
	ABUT_THEN(status, abut_polytope_from_hull(hull, coplanar, "vertices", out, error));
	abut_hull_destroy(hull);
	return status;
}

AbutStatus abut_shape_create_polytope_from_vertices(int n, const double *vertices, AbutShape **out, AbutError *error)
{
	return abut_shape_create_polytope_coplanar(n, vertices, ABUT_COPLANAR, out, error);
}

/* Computes the hull of the set, with the user's rows as its faces. */
static AbutStatus hull_of_halfspaces(int m, const double *rows, const double *offsets, AbutHull **out, AbutError *error)
{
	int n = 0;
	double *vertices = NULL;
	AbutStatus status = abut_halfspaces_vertices(m, rows, offsets, &n, &vertices, error);
	ABUT_THEN(status, abut_hull_create(n, vertices, ABUT_COPLANAR, ABUT_HULL_FLAT, "b", out, error));
	if (status == ABUT_OK) {
		adopt_rows(*out, m, rows, offsets);
	}
	free(vertices);
	return status;
}

AbutStatus abut_shape_create_polytope(int m, const double *A, const double *b, AbutShape **out, AbutError *error)
{
	ABUT_TRY(abut_shape_check_out(out, error));
	ABUT_TRY(check_list(m, A, "rows", "A", error));
	ABUT_TRY(check_list(m, b, "rows", "b", error));
	double *rows = malloc((size_t)m * 4 * sizeof *rows);
	if (!rows) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for %d rows", m);
	}
	double *offsets = rows + 3 * (size_t)m;
	AbutHull *hull = NULL;
	AbutStatus status = normalise_rows(m, A, b, rows, offsets, error);
	ABUT_THEN(status, hull_of_halfspaces(m, rows, offsets, &hull, error));
	ABUT_THEN(status, abut_polytope_from_hull(hull, ABUT_COPLANAR, "b", out, error));
	abut_hull_destroy(hull);
	free(rows);
	return status;
}

/* Computes the hull of a box by stretching the hull of a cube, which works for any proportions. */
static AbutStatus hull_of_box(const double half_extents[3], AbutHull **out, AbutError *error)
{
	double corners[8 * 3];
	for (int i = 0; i < 8; i++) {
		for (int k = 0; k < 3; k++) {
			corners[3 * i + k] = (i >> k) & 1 ? 1.0 : -1.0;
		}
	}
	ABUT_TRY(abut_hull_create(8, corners, 0.0, 0.0, "core", out, error));
	AbutHull *hull = *out;
	for (int i = 0; i < 3 * hull->n_vertices; i++) {
		hull->vertices[i] *= half_extents[i % 3];
	}
	for (int i = 0; i < hull->n_faces; i++) {
		const double *n = &hull->normals[3 * i];
		hull->offsets[i] =
		    fabs(n[0]) * half_extents[0] + fabs(n[1]) * half_extents[1] + fabs(n[2]) * half_extents[2];
	}
	return ABUT_OK;
}

AbutStatus abut_polytope_hull(const AbutShape *shape, AbutHull **out, AbutError *error)
{
	if (shape->kind == ABUT_SHAPE_BOX) {
		return hull_of_box(shape->size, out, error);
	}
	return abut_hull_create(shape->n_vertices, shape->vertices, shape->coplanar, 0.1 * ABUT_HULL_FLAT, "core", out,
	                        error);
}
