/* Creates shapes with other rows, and computes the derivatives of rows with respect to their entries. Tested in
 * tests/shapes/face.c. */
#include "shapes/change/face.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/composed/composite.h"
#include "shapes/core/conic.h"
#include "shapes/core/inputs.h"

int abut_shape_face_count(const AbutShape *shape)
{
	const bool all = shape->kind == ABUT_SHAPE_HALFSPACE || shape->kind == ABUT_SHAPE_BOX ||
	                 shape->kind == ABUT_SHAPE_POLYTOPE || shape->kind == ABUT_SHAPE_CONIC;
	return all ? shape->n_rows : shape->kind == ABUT_SHAPE_PADDED_POLYTOPE ? shape->n_orthant : 0;
}

/* --- halfspace --- */

static AbutStatus reface_halfspace(const AbutShape *shape, const double *A, double b, AbutShape **out, AbutError *error)
{
	AbutShape *made = NULL;
	const AbutStatus status = abut_shape_create_halfspace(A, b, &made, error);
	if (status == ABUT_OK) { /* the shape's own frame does not move */
		abut_copy3(shape->position, made->position);
		made->size[0] = made->h[0] - abut_dot3(made->A, shape->position);
		*out = made;
	}
	return status;
}

/* --- polytopes --- */

/* Computes the frame Q of the eps of a padded polytope, B = -A Q. This is the frame in which the shape was created,
 * even if the shape was moved later. */
static void frame_of_eps(const AbutShape *shape, double Q[9])
{
	double gram[9] = {0.0};
	for (int row = 0; row < shape->n_orthant; row++) {
		for (int i = 0; i < 9; i++) {
			gram[i] += shape->A[3 * row + i / 3] * shape->A[3 * row + i % 3];
		}
	}
	for (int column = 0; column < 3; column++) {
		double right[3] = {0.0}, q[3];
		for (int row = 0; row < shape->n_orthant; row++) {
			abut_add_scaled3(right, -shape->B[3 * row + column], &shape->A[3 * row], right);
		}
		abut_sym3_solve(gram, right, q);
		for (int i = 0; i < 3; i++) {
			Q[3 * i + column] = q[i];
		}
	}
}

/* Writes the first rows of `shape`, scaled about the same centre. Q is the frame of its eps. */
static AbutStatus write_rows(const double *A, const double *b, const double Q[9], AbutShape *shape, AbutError *error)
{
	double *rows = abut_shape_edit(shape->A), *d = abut_shape_edit(shape->d), *h = abut_shape_edit(shape->h),
	       *B = abut_shape_edit(shape->B);
	const int n = abut_shape_face_count(shape);
	for (int i = 0; i < n; i++) {
		double bound;
		if (!abut_shape_unit_row(&A[3 * i], b[i], &rows[3 * i], &bound)) {
			return abut_error_set(
			    error, ABUT_ERROR_ARGUMENT, "A",
			    "row %d of A is (%g, %g, %g) and its bound is %g; the row must be finite and longer than 0",
			    i, A[3 * i], A[3 * i + 1], A[3 * i + 2], b[i]);
		}
		h[i] = abut_dot3(&rows[3 * i], shape->centre);
		d[i] = bound - h[i];
		if (!(d[i] > 0.0)) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, "b",
			                      "row %d excludes the scaling centre by %g m; the centre must stay inside",
			                      i, -d[i]);
		}
		if (shape->n_eps > 0) {
			double eps[3];
			abut_mat3_tvec(Q, &rows[3 * i], eps);
			abut_scale3(-1.0, eps, &B[3 * i]);
		}
	}
	return ABUT_OK;
}

static void measure(double radius, AbutShape *shape)
{
	shape->outer_radius = 0.0;
	shape->inner_radius = HUGE_VAL;
	for (int i = 0; i < abut_shape_face_count(shape); i++) {
		shape->inner_radius = fmin(shape->inner_radius, shape->d[i]);
	}
	for (int i = 0; i < shape->n_vertices; i++) {
		double v[3];
		abut_mat3_vec(shape->rotation, &shape->vertices[3 * i], v);
		for (int k = 0; k < 3; k++) {
			v[k] += shape->position[k] - shape->centre[k];
		}
		shape->outer_radius = fmax(shape->outer_radius, abut_norm3(v));
	}
	shape->outer_radius += radius;
	shape->inner_radius += radius;
}

/* Copies the vertices of `core` to `shape`, from the own frame of `core` to that of `shape`. The own frame of `core` is
 * the frame in which `shape` is given. */
static void take_vertices(const AbutShape *core, AbutShape *shape)
{
	double *vertices = abut_shape_edit(shape->vertices);
	for (int i = 0; i < core->n_vertices; i++) {
		double v[3];
		abut_sub3(&core->vertices[3 * i], shape->position, v);
		abut_mat3_tvec(shape->rotation, v, &vertices[3 * i]);
	}
}

/* Creates a polytope with these rows, and with the frame, centre and second-order cone of `shape`. */
static AbutStatus polytope_like(const AbutShape *shape, const AbutShape *core, const double *A, const double *b,
                                AbutShape **out, AbutError *error)
{
	const bool padded = shape->kind == ABUT_SHAPE_PADDED_POLYTOPE;
	AbutShape *made = NULL;
	ABUT_TRY(abut_shape_allocate(padded ? ABUT_SHAPE_PADDED_POLYTOPE : ABUT_SHAPE_POLYTOPE, shape->n_orthant,
	                             shape->n_soc, shape->soc_dim, shape->n_eps, core->n_vertices, &made, error));
	memcpy(abut_shape_edit(made->d), shape->d, (size_t)shape->n_rows * sizeof(double));
	memcpy(abut_shape_edit(made->B), shape->B, (size_t)shape->n_rows * (size_t)shape->n_eps * sizeof(double));
	abut_copy3(shape->position, made->position);
	abut_copy3(shape->centre, made->centre);
	memcpy(made->rotation, shape->rotation, sizeof made->rotation);
	made->coplanar = core->coplanar;
	made->mass =
	    core->mass; /* for a padded polytope this is the mass of its core; the body's mass is used instead */
	made->size[0] = padded ? shape->size[0] : 0.0;
	double Q[9] = {0.0};
	if (padded) {
		frame_of_eps(shape, Q);
	}
	const AbutStatus status = write_rows(A, b, Q, made, error);
	if (status != ABUT_OK) {
		abut_shape_destroy(made);
		return status;
	}
	take_vertices(core, made);
	measure(made->size[0], made);
	*out = made;
	return ABUT_OK;
}

static AbutStatus reface_polytope(const AbutShape *shape, const double *A, const double *b, AbutShape **out,
                                  AbutError *error)
{
	AbutShape *core = NULL; /* a polytope made for its vertices; it may have fewer rows */
	AbutStatus status = abut_shape_create_polytope(shape->n_orthant, A, b, &core, error);
	ABUT_THEN(status, polytope_like(shape, core, A, b, out, error));
	abut_shape_destroy(core);
	return status;
}

/* --- conic data --- */

/* Computes the radii again. Mass and centre stay the same. */
static AbutStatus measure_conic(AbutShape *shape, AbutError *error)
{
	const AbutMassProperties mass = shape->mass;
	free(abut_shape_edit(shape->cage));
	shape->cage = NULL;
	abut_copy3(shape->centre, shape->mass.centre_of_mass);
	const AbutStatus status = abut_composite_recentre(shape, &(AbutComposing){.where = "A"}, error);
	shape->mass = mass;
	return status;
}

static AbutStatus reface_conic(const AbutShape *shape, const double *A, const double *b, AbutShape **out,
                               AbutError *error)
{
	AbutShape *made = NULL;
	ABUT_TRY(abut_shape_clone(shape, &made, error));
	AbutStatus status = ABUT_OK;
	double *rows = abut_shape_edit(made->A), *d = abut_shape_edit(made->d), *h = abut_shape_edit(made->h);
	memcpy(rows, A, (size_t)made->n_rows * 3 * sizeof *rows);
	for (int i = 0; status == ABUT_OK && i < made->n_rows; i++) {
		h[i] = abut_dot3(&rows[3 * i], made->centre);
		d[i] = b[i] - h[i];
		if (!abut_all_finite(&rows[3 * i], 3) || !isfinite(d[i])) {
			status = abut_error_set(error, ABUT_ERROR_ARGUMENT, "A",
			                        "row %d of A is (%g, %g, %g) and its h + d is %g; all must be finite",
			                        i, rows[3 * i], rows[3 * i + 1], rows[3 * i + 2], b[i]);
		}
	}
	ABUT_THEN(status, measure_conic(made, error));
	if (status != ABUT_OK) {
		abut_shape_destroy(made);
		return status;
	}
	*out = made;
	return ABUT_OK;
}

AbutStatus abut_shape_reface(const AbutShape *shape, const double *A, const double *b, AbutShape **out,
                             AbutError *error)
{
	ABUT_TRY(abut_shape_check_out(out, error));
	if (abut_shape_face_count(shape) == 0) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "A", "a %s has no rows that can be changed",
		                      abut_shape_kind_name(shape->kind));
	}
	return shape->kind == ABUT_SHAPE_HALFSPACE ? reface_halfspace(shape, A, b[0], out, error)
	       : shape->kind == ABUT_SHAPE_CONIC   ? reface_conic(shape, A, b, out, error)
	                                           : reface_polytope(shape, A, b, out, error);
}

/* --- derivative --- */

/* A row keeps its unit length, so that entry k of A changes it by dA = e_k - A A_k, db = -b A_k. */
AbutFaceChange abut_shape_row_by_face(const AbutShape *shape, int row, int k)
{
	const double *A = &shape->A[3 * row], b = shape->h[row] + shape->d[row];
	const bool unit = shape->kind != ABUT_SHAPE_CONIC;
	AbutFaceChange change = {.d = 0.0};
	double bound = 1.0;
	if (k < 3) {
		for (int i = 0; i < 3; i++) {
			change.A[i] = (i == k ? 1.0 : 0.0) - (unit ? A[i] * A[k] : 0.0);
		}
		bound = unit ? -b * A[k] : 0.0;
	}
	if (shape->kind == ABUT_SHAPE_HALFSPACE) { /* a halfspace does not scale */
		change.h = bound;
		return change;
	}
	change.h = abut_dot3(change.A, shape->centre);
	change.d = bound - change.h;
	if (shape->kind == ABUT_SHAPE_PADDED_POLYTOPE) {
		double Q[9];
		frame_of_eps(shape, Q);
		abut_mat3_tvec(Q, change.A, change.B);
		abut_scale3(-1.0, change.B, change.B);
	}
	return change;
}
