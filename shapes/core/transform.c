/* Changes a shape's frame, unit of length and scaling centre. A shape scaled by alpha is the set of points p with s = h
 * + alpha d - A p - B eps in the cone K for some eps (docs/formulation.md, (1)). */
#include "shapes/core/transform.h"

#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/core/conic.h"
#include "shapes/core/inputs.h"
#include "shapes/core/mass.h"

/* Returns the largest entry of |R'R - I|, or infinity if R is a reflection or not finite. */
static double rotation_error(const double R[9])
{
	if (!abut_all_finite(R, 9)) {
		return HUGE_VAL;
	}
	double gram[9], cross[3], largest = 0.0;
	abut_mat3_transposed_mul(R, R, gram);
	for (int i = 0; i < 9; i++) {
		largest = fmax(largest, fabs(gram[i] - (i % 4 == 0 ? 1.0 : 0.0)));
	}
	abut_cross3(&R[0], &R[3], cross);
	return abut_dot3(cross, &R[6]) > 0.0 ? largest : HUGE_VAL;
}

/* Moves a point: p -> R p + t. */
static void move_point(double p[3], const double R[9], const double t[3])
{
	abut_mat3_vec(R, p, p);
	abut_add3(p, t, p);
}

/* Moves the shape by p1 = R p + t. Substituting p = R' (p1 - t) in s gives A1 = A R' and h1 = h + A1 t; d and B stay
 * the same. */
AbutStatus abut_shape_move(AbutShape *shape, const double rotation[9], const double translation[3], AbutError *error)
{
	if (!shape || !rotation || !translation) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT,
		                      !shape ? "shape" : (!rotation ? "rotation" : "translation"),
		                      "shape, rotation or translation is NULL; all three are required");
	}
	if (!(rotation_error(rotation) <= 1e-9)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "rotation",
		                      "rotation is [%g %g %g; %g %g %g; %g %g %g]; it must be a rotation matrix, "
		                      "orthonormal to 1e-9 and not a reflection",
		                      rotation[0], rotation[1], rotation[2], rotation[3], rotation[4], rotation[5],
		                      rotation[6], rotation[7], rotation[8]);
	}
	double R[9], position[3];
	abut_mat3_orthonormalise(rotation, R);
	abut_copy3(shape->position, position);
	move_point(position, R, translation);
	for (int i = 0; i < 3; i++) {
		ABUT_TRY(abut_shape_check_coordinate(translation[i], "translation", error));
		ABUT_TRY(abut_shape_check_coordinate(position[i], "position", error));
	}

	double *A = abut_shape_edit(shape->A), *h = abut_shape_edit(shape->h);
	for (int i = 0; i < shape->n_rows; i++) {
		double *row = &A[3 * i];
		abut_mat3_vec(R, row, row);
		h[i] += abut_dot3(row, translation);
	}
	double turned[9];
	abut_mat3_mul(R, shape->rotation, turned);
	memcpy(shape->rotation, turned, sizeof turned);
	abut_copy3(position, shape->position);
	move_point(shape->centre, R, translation);
	abut_mass_move(&shape->mass, R, translation);
	return ABUT_OK;
}

/* Scales the parts. If one fails, none is changed. */
static AbutStatus scale_parts(AbutShape *shape, double factor, AbutError *error)
{
	const int n = shape->n_parts;
	if (n == 0) {
		return ABUT_OK;
	}
	AbutShape **scaled = NULL;
	ABUT_TRY(abut_shapes_clone(n, shape->parts, &scaled, error));
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < n; i++) {
		status = abut_shape_scale(scaled[i], factor, error);
	}
	if (status != ABUT_OK) {
		abut_shapes_destroy(n, scaled);
		return status;
	}
	abut_shapes_destroy(n, (AbutShape **)shape->parts);
	shape->parts = (const AbutShape *const *)scaled;
	return ABUT_OK;
}

/* Scales the shape by p1 = f p and eps1 = f eps. Since K is a cone, f s is in K too, which gives h1 = f h and d1 = f d;
 * A and B stay the same. */
AbutStatus abut_shape_scale(AbutShape *shape, double factor, AbutError *error)
{
	if (!shape) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "shape", "shape is NULL; a shape is required");
	}
	if (!(isfinite(factor) && factor > 0.0)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "factor",
		                      "factor is %g; it must be finite and greater than 0", factor);
	}
	const bool bounded = shape->outer_radius > 0.0;
	double largest = shape->outer_radius * factor;
	double smallest = bounded ? largest : ABUT_LENGTH_MIN;
	for (int i = 0; i < 3; i++) {
		largest = fmax(largest, factor * fmax(fabs(shape->position[i]), fabs(shape->centre[i])));
		largest = fmax(largest, factor * fabs(shape->size[i]));
		if (bounded && shape->size[i] != 0.0) {
			smallest = fmin(smallest, factor * shape->size[i]);
		}
	}
	for (int i = 0; i < 3 * shape->n_vertices; i++) {
		largest = fmax(largest, factor * fabs(shape->vertices[i]));
	}
	/* The factor 2 allows for rounding if several lengths have the largest value. */
	if (!(smallest >= ABUT_LENGTH_MIN && largest <= 2.0 * ABUT_LENGTH_MAX)) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, "factor",
		    "factor is %g, which gives lengths from %g to %g; they must lie between %g and %g "
		    "(metres)",
		    factor, smallest, largest, ABUT_LENGTH_MIN, 2.0 * ABUT_LENGTH_MAX);
	}
	ABUT_TRY(scale_parts(shape, factor, error));

	double *d = abut_shape_edit(shape->d), *h = abut_shape_edit(shape->h),
	       *vertices = abut_shape_edit(shape->vertices);
	for (int i = 0; i < shape->n_rows; i++) {
		d[i] *= factor;
		h[i] *= factor;
	}
	for (int i = 0; i < 3 * shape->n_vertices; i++) {
		vertices[i] *= factor;
	}
	for (int i = 1; shape->cage && i < ABUT_CAGE_DOUBLES; i++) {
		abut_shape_edit(shape->cage)[i] *= factor;
	}
	abut_scale3(factor, shape->centre, shape->centre);
	abut_scale3(factor, shape->position, shape->position);
	abut_scale3(factor, shape->size, shape->size);
	shape->outer_radius *= factor;
	shape->inner_radius *= factor;
	shape->smooth_unit *= factor;
	abut_mass_scale(&shape->mass, factor);
	return ABUT_OK;
}

/* Makes c the scaling centre. The shape scaled about c is the set of p = c + alpha (p' - c) with p' in the shape. Since
 * K is a cone, alpha times the slack of p' is in K too. With eps = alpha eps' it is
 *
 *     s = alpha (h + d - A p' - B eps') = A c + alpha (h + d - A c) - A p - B eps. */
AbutStatus abut_shape_recentre(AbutShape *shape, const double c[3], AbutError *error)
{
	double distance = 0.0;
	for (int i = 0; i < 3; i++) {
		ABUT_TRY(abut_shape_check_coordinate(c[i], "centre", error));
		distance = hypot(distance, c[i] - shape->centre[i]);
	}
	double *A = abut_shape_edit(shape->A), *d = abut_shape_edit(shape->d), *h = abut_shape_edit(shape->h);
	for (int i = 0; i < shape->n_rows; i++) {
		const double offset = abut_dot3(&A[3 * i], c);
		d[i] += h[i] - offset;
		h[i] = offset;
	}
	abut_copy3(c, shape->centre);
	if (shape->outer_radius > 0.0) {
		shape->outer_radius += distance;
		shape->inner_radius = fmax(0.0, shape->inner_radius - distance);
	}
	return ABUT_OK;
}
