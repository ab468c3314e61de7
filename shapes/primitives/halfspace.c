/* Creates halfspaces n . p <= c with |n| = 1:
 *     s = c - n . p >= 0.
 * It does not scale (d = 0). Its own frame has z along n, so that the offset alone describes it there. */
#include <math.h>

#include "base/error.h"
#include "base/vec3.h"
#include "shapes/core/conic.h"
#include "shapes/core/inputs.h"

/* Computes a rotation whose third column is the unit vector n; the identity if n is z. Columns t1, t2, n after Duff et
 * al., "Building an Orthonormal Basis, Revisited" (2017): no branch loses digits. */
static void rotation_to_normal(const double n[3], double R[9])
{
	const double sign = copysign(1.0, n[2]);
	const double a = -1.0 / (sign + n[2]);
	const double b = n[0] * n[1] * a;
	const double t1[3] = {1.0 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]};
	const double t2[3] = {b, sign + n[1] * n[1] * a, -n[1]};
	for (int i = 0; i < 3; i++) {
		R[3 * i] = t1[i];
		R[3 * i + 1] = t2[i];
		R[3 * i + 2] = n[i];
	}
}

static AbutStatus normalise(const double normal[3], double offset, double n[3], double *c, AbutError *error)
{
	if (!normal) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "normal", "normal is NULL; it must hold 3 numbers");
	}
	if (!abut_shape_unit_row(normal, offset, n, c)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "normal",
		                      "normal is (%g, %g, %g); it must be finite and longer than 0", normal[0],
		                      normal[1], normal[2]);
	}
	if (!(fabs(*c) <= ABUT_LENGTH_MAX)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "offset",
		                      "offset is %g; it must be finite and, for a normal of unit length, at most %g in "
		                      "size (metres)",
		                      offset, ABUT_LENGTH_MAX);
	}
	return ABUT_OK;
}

AbutStatus abut_shape_create_halfspace(const double normal[3], double offset, AbutShape **out, AbutError *error)
{
	double n[3] = {0.0}, c = 0.0;
	ABUT_TRY(abut_shape_check_out(out, error));
	ABUT_TRY(normalise(normal, offset, n, &c, error));
	AbutShape *shape = NULL;
	ABUT_TRY(abut_shape_allocate(ABUT_SHAPE_HALFSPACE, 1, 0, NULL, 0, 0, &shape, error));
	double *A = abut_shape_edit(shape->A), *h = abut_shape_edit(shape->h);
	abut_copy3(n, A);
	h[0] = c;
	shape->size[0] = c;
	abut_scale3(c, n, shape->centre);
	rotation_to_normal(n, shape->rotation);
	*out = shape;
	return ABUT_OK;
}
