/* Checks the inputs of constructors, and scales rows to unit length. */
#pragma once

#include "abut/shape.h"
#include "base/error.h"

/* Range of every length that describes a shape (m). In this range no volume, inertia or ratio overflows. */
#define ABUT_LENGTH_MIN 1e-9
#define ABUT_LENGTH_MAX 1e9

/* Sets *out to NULL. Refuses an `out` that is itself NULL. */
AbutStatus abut_shape_check_out(AbutShape **out, AbutError *error);
/* Refuses a length that is not finite or outside this range. `name` is its key in error messages. */
AbutStatus abut_shape_check_length(double value, const char *name, AbutError *error);
/* Refuses a list of `n` lengths that is NULL or contains an invalid length, which error messages call name[i]. */
AbutStatus abut_shape_check_lengths(const double *values, int n, const char *name, AbutError *error);
/* Checks `out` and the keys "radius" and "length" of a round shape with an axis. */
AbutStatus abut_shape_check_round(double radius, double length, AbutShape **out, AbutError *error);
/* Checks `out` and the `n` >= 2 operands of a Minkowski sum or intersection. */
AbutStatus abut_shape_check_parts(int n, const AbutShape *const *parts, AbutShape **out, AbutError *error);
/* Refuses a coordinate or offset that is not finite or whose magnitude exceeds ABUT_LENGTH_MAX. It may be zero or
 * negative. */
AbutStatus abut_shape_check_coordinate(double value, const char *name, AbutError *error);

/* Scales a . p <= b to n . p <= c with a unit vector n. A row of unit length stays the same to the last digit. Returns
 * false if a is zero or not finite. */
bool abut_shape_unit_row(const double a[3], double b, double n[3], double *c);
