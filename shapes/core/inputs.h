/* Checks of the inputs of constructors, and rows of unit length. */
#ifndef SHAPES_CORE_INPUTS_H
#define SHAPES_CORE_INPUTS_H

#include "abut/shape.h"
#include "base/error.h"

/* Every length that describes a shape lies in this range (metres), so that no volume, inertia or ratio overflows. */
#define ABUT_LENGTH_MIN 1e-9
#define ABUT_LENGTH_MAX 1e9

/* Sets *out to NULL; refuses an `out` that is NULL itself. */
AbutStatus abut_shape_check_out(AbutShape **out, AbutError *error);
/* Refuses a length that is not finite, not positive or outside the range above; `name` is its key. */
AbutStatus abut_shape_check_length(double value, const char *name, AbutError *error);
/* Refuses a list of `n` lengths that is NULL, or has such a length; errors call it name[i]. */
AbutStatus abut_shape_check_lengths(const double *values, int n, const char *name, AbutError *error);
/* Checks `out` and the keys "radius" and "length" of a round shape with an axis. */
AbutStatus abut_shape_check_round(double radius, double length, AbutShape **out, AbutError *error);
/* Checks `out` and the `n` >= 2 operands of a Minkowski sum or intersection. */
AbutStatus abut_shape_check_parts(int n, const AbutShape *const *parts, AbutShape **out, AbutError *error);
/* Refuses a coordinate or offset that is not finite or beyond ABUT_LENGTH_MAX; it may be zero or negative. */
AbutStatus abut_shape_check_coordinate(double value, const char *name, AbutError *error);

/* Scales a . p <= b, with `a` of any length, to a row n of unit length and its offset c. A row that already has unit
 * length stays the same to the last digit. Returns false if a is zero or not finite. */
bool abut_shape_unit_row(const double a[3], double b, double n[3], double *c);

#endif
