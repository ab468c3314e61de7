/* Intersections: the rows of all parts, stacked, each part with auxiliary variables of its own; scaled about the centre
 * of mass of what is left, since parts scaled about different centres would not push deep overlaps apart. One of
 * polyhedra alone (halfspaces, boxes, polytopes) is a polytope. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "shapes/composite.h"
#include "shapes/conic.h"

static bool are_polyhedra(int n, const AbutShape *const *parts)
{
	for (int i = 0; i < n; i++) {
		if (parts[i]->n_soc > 0 || parts[i]->n_eps > 0) {
			return false;
		}
	}
	return true;
}

/* A p <= h + d of all parts, as one polytope. */
static AbutStatus intersect_polyhedra(int n, const AbutShape *const *parts, AbutShape **out, AbutError *error)
{
	size_t m = 0, row = 0;
	for (int i = 0; i < n; i++) {
		m += (size_t)parts[i]->n_rows;
	}
	double *A = malloc((4 * m + 1) * sizeof *A);
	if (!A) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for an intersection of %zu rows", m);
	}
	double *b = &A[3 * m];
	for (int i = 0; i < n; i++) {
		const AbutShape *part = parts[i];
		memcpy(&A[3 * row], part->A, (size_t)part->n_rows * 3 * sizeof *A);
		for (int r = 0; r < part->n_rows; r++) {
			b[row++] = part->h[r] + part->d[r];
		}
	}
	AbutStatus status = abut_shape_create_polytope((int)m, A, b, out, error);
	free(A);
	return status;
}

static void stack_rows(int n, const AbutShape *const *parts, AbutShape *shape)
{
	double *A = abut_shape_edit(shape->A), *B = abut_shape_edit(shape->B), *d = abut_shape_edit(shape->d),
	       *h = abut_shape_edit(shape->h);
	AbutRowPlaces places = {0, shape->n_orthant};
	for (int i = 0, eps = 0; i < n; eps += parts[i++]->n_eps) {
		const AbutShape *part = parts[i];
		for (int r = 0; r < part->n_rows; r++) {
			const int row = abut_row_place(part, &places, r);
			abut_copy3(&part->A[3 * r], &A[3 * row]);
			memcpy(&B[row * shape->n_eps + eps], &part->B[r * part->n_eps],
			       (size_t)part->n_eps * sizeof *B);
			d[row] = part->d[r];
			h[row] = part->h[r];
		}
		abut_row_places_next(part, &places);
	}
}

/* Begins at the smallest part: what is left lies in it. */
static double smallest_part(int n, const AbutShape *const *parts, double centre[3])
{
	double size = HUGE_VAL;
	for (int i = 0; i < n; i++) {
		if (parts[i]->outer_radius > 0.0 && parts[i]->outer_radius < size) {
			size = parts[i]->outer_radius;
			abut_copy3(parts[i]->centre, centre);
		}
	}
	return size;
}

static AbutStatus intersect(int n, const AbutShape *const *parts, AbutShape **out, AbutError *error)
{
	int n_eps = 0;
	for (int i = 0; i < n; i++) {
		n_eps += parts[i]->n_eps;
	}
	AbutStatus status = abut_composite_allocate(ABUT_SHAPE_INTERSECTION, n, parts, n_eps, 0, out, error);
	if (status != ABUT_OK) {
		return status;
	}
	AbutShape *shape = *out;
	stack_rows(n, parts, shape);
	status = abut_composite_locate(shape, smallest_part(n, parts, shape->centre), "parts", error);
	if (status == ABUT_OK) {
		status = abut_composite_finish(shape, "parts", error);
	}
	if (status != ABUT_OK) {
		abut_shape_destroy(shape);
		*out = NULL;
	}
	return status;
}

AbutStatus abut_shape_create_intersection(int n, const AbutShape *const *parts, AbutShape **out, AbutError *error)
{
	const AbutStatus status = abut_shape_check_parts(n, parts, out, error);
	if (status != ABUT_OK) {
		return status;
	}
	return are_polyhedra(n, parts) ? intersect_polyhedra(n, parts, out, error) : intersect(n, parts, out, error);
}
