/* Creates intersections: the stacked rows of all parts, each part with auxiliary variables of its own. An intersection
 * scales about its own centre of mass, because parts scaled about different centres would not push deep overlaps apart.
 * The intersection of polyhedra (halfspaces, boxes, polytopes) is a polytope. */
#include "shapes/composed/intersection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/composed/composite.h"
#include "shapes/core/conic.h"
#include "shapes/core/inputs.h"
#include "shapes/hull/inner_ball.h"

static bool are_polyhedra(int n, const AbutShape *const *parts)
{
	for (int i = 0; i < n; i++) {
		if (parts[i]->n_soc > 0 || parts[i]->n_eps > 0) {
			return false;
		}
	}
	return true;
}

/* Returns the rows A p <= b of all parts in one block: A (*m x 3), followed by b (*m). Returns NULL when out of memory.
 */
static double *polyhedron_rows(int n, const AbutShape *const *parts, int *m)
{
	size_t count = 0, row = 0;
	for (int i = 0; i < n; i++) {
		count += (size_t)parts[i]->n_rows;
	}
	*m = (int)count;
	double *A = malloc((4 * count + 1) * sizeof *A);
	for (int i = 0; A && i < n; i++) {
		const AbutShape *part = parts[i];
		memcpy(&A[3 * row], part->A, (size_t)part->n_rows * 3 * sizeof *A);
		for (int r = 0; r < part->n_rows; r++) {
			A[3 * count + row++] = part->h[r] + part->d[r];
		}
	}
	return A;
}

static AbutStatus out_of_memory(int m, AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for an intersection of %d rows", m);
}

static AbutStatus intersect_polyhedra(int n, const AbutShape *const *parts, AbutShape **out, AbutError *error)
{
	int m = 0;
	double *A = polyhedron_rows(n, parts, &m);
	if (!A) {
		return out_of_memory(m, error);
	}
	if (m < 4) {
		free(A);
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "parts",
		                      "%d halfspaces enclose no set; at least 4 are required", m);
	}
	const AbutStatus status = abut_shape_create_polytope(m, A, &A[3 * (size_t)m], out, error);
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

/* Returns the outer radius and the centre of the smallest bounded part, which contains the intersection. */
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

static AbutStatus stack(int n, const AbutShape *const *parts, AbutShape **out, double *size, AbutError *error)
{
	int n_eps = 0;
	for (int i = 0; i < n; i++) {
		n_eps += parts[i]->n_eps;
	}
	const AbutStatus status = abut_composite_allocate(ABUT_SHAPE_INTERSECTION, n, parts, n_eps, 0, out, error);
	if (status == ABUT_OK) {
		stack_rows(n, parts, *out);
		*size = smallest_part(n, parts, (*out)->centre);
	}
	return status;
}

static AbutStatus drop_on_error(AbutStatus status, AbutShape **out)
{
	if (status != ABUT_OK) {
		abut_shape_destroy(*out);
		*out = NULL;
	}
	return status;
}

static AbutStatus intersect(int n, const AbutShape *const *parts, AbutStopper *stop, AbutShape **out, AbutError *error)
{
	double size = 0.0;
	AbutStatus status = stack(n, parts, out, &size, error);
	ABUT_THEN(status, abut_composite_locate(*out, size, "parts", error));
	ABUT_THEN(status, abut_composite_finish(*out, &(AbutComposing){"parts", stop, NULL}, error));
	return drop_on_error(status, out);
}

AbutStatus abut_shape_create_intersection(int n, const AbutShape *const *parts, AbutShape **out, AbutError *error)
{
	return abut_intersection(n, parts, NULL, out, error);
}

AbutStatus abut_intersection(int n, const AbutShape *const *parts, AbutStopper *stop, AbutShape **out, AbutError *error)
{
	ABUT_TRY(abut_shape_check_parts(n, parts, out, error));
	return are_polyhedra(n, parts) ? intersect_polyhedra(n, parts, out, error)
	                               : intersect(n, parts, stop, out, error);
}

/* --- intersections for weighing only --- */

/* A polytope counts as flat if its inner ball is smaller than this fraction of its size. */
static const double thin = 1e-10;

/* Returns an upper bound on the volume (m^3) of a convex set whose deepest point lies `depth` inside. In some direction
 * its width is at most 2 sqrt(3) depth (Steinhagen). Across this direction it lies in a disc of radius `size`, that of
 * its smallest part. The factor 8 exceeds 2 sqrt(3), because depths computed from rows are only correct up to a factor.
 */
static double most_volume(double depth, double size)
{
	return 8.0 * fmax(depth, 0.0) * M_PI * size * size;
}

static AbutStatus weigh_stacked(AbutShape **out, double size, double harmless, const AbutComposing *how, double *missed,
                                AbutError *error)
{
	double depth = 0.0;
	int unbounded = -1;
	AbutStatus status = abut_composite_check_size(*out, "parts", error);
	if (status != ABUT_OK) {
		return drop_on_error(status, out);
	}
	switch (abut_composite_place(*out, size, &depth, &unbounded)) {
	case ABUT_PLACE_SOLID:
		return drop_on_error(abut_composite_weigh(*out, harmless, how, error), out);
	case ABUT_PLACE_EMPTY:
	case ABUT_PLACE_FLAT:
		*missed = most_volume(depth, size);
		break;
	case ABUT_PLACE_UNBOUNDED:
	case ABUT_PLACE_UNSOLVED:
		status =
		    abut_error_set(error, ABUT_ERROR_NUMERICAL, "parts",
		                   "cannot find the intersection of the parts: the program that searches it does not "
		                   "converge because of rounding; give the body's mass, inertia and centre_of_mass");
		break;
	}
	abut_shape_destroy(*out);
	*out = NULL;
	return status;
}

/* Creates the intersection as an exact polytope, unless a ball inside shows that it is empty or thin. `*solid` is true
 * if the general method must be tried. */
static AbutStatus common_polytope(int n, const AbutShape *const *parts, double size, AbutShape **out, bool *solid,
                                  double *missed, AbutError *error)
{
	int m = 0;
	double centre[3], radius = 0.0, *A = polyhedron_rows(n, parts, &m);
	AbutStatus status = A ? ABUT_OK : out_of_memory(m, error);
	if (A && abut_inner_ball(m, A, &A[3 * (size_t)m], centre, &radius) == ABUT_INNER_BALL_FOUND) {
		*solid = radius > thin * size;
		*missed = *solid ? 0.0 : most_volume(2.0 * radius, size);
	}
	if (A && *solid) {
		status = abut_shape_create_polytope(m, A, &A[3 * (size_t)m], out, error);
		*solid = status == ABUT_ERROR_ARGUMENT || status == ABUT_ERROR_NUMERICAL;
		status = *solid ? ABUT_OK : status;
	}
	free(A);
	return status;
}

AbutStatus abut_shape_common(int n, const AbutShape *const *parts, double harmless, const AbutComposing *how,
                             AbutShape **out, double *missed, AbutError *error)
{
	double size = 0.0, centre[3];
	bool solid = true;
	AbutStatus status = ABUT_OK;
	*missed = 0.0;
	*out = NULL;
	if (are_polyhedra(n, parts)) {
		size = smallest_part(n, parts, centre);
		status = common_polytope(n, parts, size, out, &solid, missed, error);
	}
	if (status != ABUT_OK || *out || !solid) {
		return status;
	}
	status = stack(n, parts, out, &size, error);
	return status == ABUT_OK ? weigh_stacked(out, size, harmless, how, missed, error) : status;
}

AbutStatus abut_shape_common_point(int n, const AbutShape *const *parts, double point[3], bool *found, AbutError *error)
{
	AbutShape *shape = NULL;
	double size = 0.0, depth = 0.0;
	int unbounded = -1;
	ABUT_TRY(stack(n, parts, &shape, &size, error));
	*found = abut_composite_check_size(shape, "parts", NULL) == ABUT_OK &&
	         abut_composite_place(shape, size, &depth, &unbounded) == ABUT_PLACE_SOLID;
	abut_copy3(shape->centre, point);
	abut_shape_destroy(shape);
	return ABUT_OK;
}
