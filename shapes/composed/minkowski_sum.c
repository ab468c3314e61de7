/* Creates Minkowski sums p = p_1 + ... + p_n. They have the rows of every part, each at its own point p_i. The points
 * of all parts but the last are auxiliary variables, measured from the parts' scaling centres, q_i = p_i - c_i. The
 * slacks are
 *
 *      s_i = h_i + alpha d_i - A_i (c_i + q_i) - B_i eps_i,                            i < n
 *      s_n = h_n + alpha d_n - A_n (p - sum (c_i + q_i)) - B_n eps_n.
 *
 * If all parts are points, segments, boxes and polytopes, each with or without a ball, the sum is a padded polytope:
 * the hull of the sums of their vertices, with one ball. Its pieces (shapes/support/support.h) and mass are those of a
 * padded polytope. */
#include "shapes/composed/minkowski_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/composed/composite.h"
#include "shapes/composed/core.h"
#include "shapes/core/conic.h"
#include "shapes/core/inputs.h"
#include "shapes/core/transform.h"

/* Counts the auxiliary variables: the points of all parts but the last, and those that the parts have themselves. */
static int count_eps(int n, const AbutShape *const *parts)
{
	int n_eps = 3 * (n - 1);
	for (int i = 0; i < n; i++) {
		n_eps += parts[i]->n_eps;
	}
	return n_eps;
}

static void fill_rows(int n, const AbutShape *const *parts, AbutShape *shape)
{
	double *A = abut_shape_edit(shape->A), *B = abut_shape_edit(shape->B), *d = abut_shape_edit(shape->d),
	       *h = abut_shape_edit(shape->h);
	double others[3] = {0.0, 0.0, 0.0}; /* sum of c_i, i < n */
	AbutRowPlaces places = {0, shape->n_orthant};
	int eps = 3 * (n - 1);
	for (int i = 0; i + 1 < n; i++) {
		abut_add3(others, parts[i]->centre, others);
	}
	for (int i = 0; i < n; i++) {
		const AbutShape *part = parts[i];
		const bool last = i == n - 1;
		for (int r = 0; r < part->n_rows; r++) {
			const int row = abut_row_place(part, &places, r);
			const double *a = &part->A[3 * r];
			double *b = &B[row * shape->n_eps];
			for (int k = 0; k < 3; k++) {
				A[3 * row + k] = last ? a[k] : 0.0;
				for (int j = 0; last && j < n - 1; j++) {
					b[3 * j + k] = -a[k];
				}
				if (!last) {
					b[3 * i + k] = a[k];
				}
			}
			memcpy(&b[eps], &part->B[r * part->n_eps], (size_t)part->n_eps * sizeof *b);
			d[row] = part->d[r];
			h[row] = part->h[r] + (last ? abut_dot3(a, others) : -abut_dot3(a, part->centre));
		}
		eps += part->n_eps;
		abut_row_places_next(part, &places);
	}
	abut_add3(others, parts[n - 1]->centre, shape->centre);
}

static AbutStatus allocate(int n, const AbutShape *const *parts, int n_vertices, const double *vertices, double radius,
                           AbutShape **out, AbutError *error)
{
	const AbutStatus status =
	    abut_composite_allocate(ABUT_SHAPE_MINKOWSKI_SUM, n, parts, count_eps(n, parts), n_vertices, out, error);
	if (status != ABUT_OK) {
		return status;
	}
	AbutShape *shape = *out;
	fill_rows(n, parts, shape);
	shape->size[0] = radius;
	if (n_vertices > 0) {
		memcpy(abut_shape_edit(shape->vertices), vertices, (size_t)n_vertices * 3 * sizeof *vertices);
	}
	return ABUT_OK;
}

/* Computes the radii about the centre of mass from the corners. `inner` is the inner radius of their hull, m. */
static AbutStatus recentre_core(AbutShape *shape, double inner, AbutError *error)
{
	const AbutStatus status = abut_shape_recentre(shape, shape->mass.centre_of_mass, error);
	shape->outer_radius = 0.0;
	for (int i = 0; i < shape->n_vertices; i++) {
		double step[3];
		abut_sub3(&shape->vertices[3 * i], shape->centre, step);
		shape->outer_radius = fmax(shape->outer_radius, abut_norm3(step));
	}
	shape->outer_radius += shape->size[0];
	shape->inner_radius = inner + shape->size[0];
	return status == ABUT_OK ? abut_composite_check_radii(shape->inner_radius, shape->outer_radius, "parts", error)
	                         : status;
}

static AbutStatus create_from_core(int n, const AbutShape *const *parts, const AbutCore *core, AbutShape **out,
                                   AbutError *error)
{
	ABUT_TRY(allocate(n, parts, core->n, core->points, core->radius, out, error));
	double inner = 0.0;
	(*out)->mass = abut_core_mass(core, &inner);
	(*out)->mass_error = core->error;
	return recentre_core(*out, inner, error);
}

/* Creates a sum without a core; uses support functions and rays. */
static AbutStatus create_any(int n, const AbutShape *const *parts, AbutStopper *stop, AbutShape **out, AbutError *error)
{
	ABUT_TRY(allocate(n, parts, 0, NULL, 0.0, out, error));
	for (int i = 0; i < n; i++) {
		(*out)->outer_radius += parts[i]->outer_radius;
	}
	return abut_composite_finish(*out, &(AbutComposing){"parts", stop, NULL}, error);
}

AbutStatus abut_shape_create_minkowski_sum(int n, const AbutShape *const *parts, AbutShape **out, AbutError *error)
{
	return abut_minkowski_sum(n, parts, NULL, out, error);
}

AbutStatus abut_minkowski_sum(int n, const AbutShape *const *parts, AbutStopper *stop, AbutShape **out,
                              AbutError *error)
{
	AbutStatus status = abut_shape_check_parts(n, parts, out, error);
	for (int i = 0; status == ABUT_OK && i < n; i++) {
		if (parts[i]->kind == ABUT_SHAPE_HALFSPACE) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, "parts",
			                      "parts[%d] is a halfspace, so that the sum is unbounded; move the "
			                      "halfspace by the size of the other part instead",
			                      i);
		}
	}
	AbutCore core = {.n = 0};
	ABUT_THEN(status, abut_core_find(n, parts, &core, error));
	ABUT_THEN(status,
	          core.n > 0 ? create_from_core(n, parts, &core, out, error) : create_any(n, parts, stop, out, error));
	if (status != ABUT_OK && out) {
		abut_shape_destroy(*out);
		*out = NULL;
	}
	abut_core_free(&core);
	return status;
}
