/* Checks the inputs of constructors, and scales rows to unit length. */
#include "shapes/core/inputs.h"

#include <float.h>
#include <stdio.h>

#include "base/vec3.h"

AbutStatus abut_shape_check_out(AbutShape **out, AbutError *error)
{
	if (!out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "out",
		                      "out is NULL; it must point to the variable that receives the shape");
	}
	*out = NULL;
	return ABUT_OK;
}

static AbutStatus check_length(double value, const char *name, const char *label, AbutError *error)
{
	if (!(isfinite(value) && value > 0.0)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, name,
		                      "%s is %g; it must be finite and greater than 0 (metres)", label, value);
	}
	if (!(value >= ABUT_LENGTH_MIN && value <= ABUT_LENGTH_MAX)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, name,
		                      "%s is %g; it must lie between %g and %g (metres)", label, value, ABUT_LENGTH_MIN,
		                      ABUT_LENGTH_MAX);
	}
	return ABUT_OK;
}

AbutStatus abut_shape_check_length(double value, const char *name, AbutError *error)
{
	return check_length(value, name, name, error);
}

AbutStatus abut_shape_check_round(double radius, double length, AbutShape **out, AbutError *error)
{
	AbutStatus status = abut_shape_check_out(out, error);
	ABUT_THEN(status, abut_shape_check_length(radius, "radius", error));
	return status == ABUT_OK ? abut_shape_check_length(length, "length", error) : status;
}

AbutStatus abut_shape_check_lengths(const double *values, int n, const char *name, AbutError *error)
{
	if (!values) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, name, "%s is NULL; it must hold %d lengths (metres)",
		                      name, n);
	}
	for (int i = 0; i < n; i++) {
		char label[64];
		snprintf(label, sizeof label, "%s[%d]", name, i);
		ABUT_TRY(check_length(values[i], name, label, error));
	}
	return ABUT_OK;
}

AbutStatus abut_shape_check_parts(int n, const AbutShape *const *parts, AbutShape **out, AbutError *error)
{
	ABUT_TRY(abut_shape_check_out(out, error));
	if (n < 2 || !parts) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "parts",
		                      "there are %d parts%s; at least 2 are required", n, parts ? "" : " (NULL)");
	}
	for (int i = 0; i < n; i++) {
		if (!parts[i]) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, "parts", "parts[%d] is NULL", i);
		}
		if (parts[i]->kind == ABUT_SHAPE_SMOOTH) {
			return abut_error_set(
			    error, ABUT_ERROR_UNSUPPORTED, "parts",
			    "parts[%d] is a smooth shape (given by functions, such as a superellipsoid); sums and "
			    "intersections need conic shapes: use an ellipsoid or a polytope instead",
			    i);
		}
	}
	return ABUT_OK;
}

AbutStatus abut_shape_check_coordinate(double value, const char *name, AbutError *error)
{
	if (!(fabs(value) <= ABUT_LENGTH_MAX)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, name,
		                      "%s is %g; it must be finite and at most %g in size (metres)", name, value,
		                      ABUT_LENGTH_MAX);
	}
	return ABUT_OK;
}

bool abut_shape_unit_row(const double a[3], double b, double n[3], double *c)
{
	const double largest = fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));
	if (!abut_all_finite(a, 3) || largest == 0.0) {
		return false;
	}
	/* Dividing by a power of two first is exact, and then no square overflows or underflows. */
	int exponent = 0;
	frexp(largest, &exponent);
	for (int i = 0; i < 3; i++) {
		n[i] = ldexp(a[i], -exponent);
	}
	double length = abut_norm3(n);
	*c = ldexp(b, -exponent);
	if (fabs(ldexp(length, exponent) - 1.0) <= 4.0 * DBL_EPSILON) {
		length = ldexp(1.0, -exponent);
	}
	abut_divide3(n, length, n);
	*c /= length;
	return true;
}
