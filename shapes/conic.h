/* What every constructor of a shape uses: the block a shape lives in, checks of its input, the scaling centre. */
#ifndef SHAPES_CONIC_H
#define SHAPES_CONIC_H

#include <stddef.h>

#include "abut/shape.h"
#include "base/error.h"

/* Every length that describes a shape lies in this range (metres), so that no volume, inertia or ratio overflows. */
#define ABUT_LENGTH_MIN 1e-9
#define ABUT_LENGTH_MAX 1e9

/* An array of a shape, for those who fill it: the shape's users see it as const, its block is writable. */
static inline double *abut_shape_edit(const double *array)
{
	return (double *)array;
}

/* The same for the functions of a smooth one. */
static inline AbutSmooth *abut_shape_edit_smooth(AbutShape *shape)
{
	return (AbutSmooth *)shape->smooth;
}

/* One block with a shape and its arrays, all zero but for the dimensions, the pointers and the unit rotation. */
AbutStatus abut_shape_allocate(AbutShapeKind kind, int n_orthant, int n_soc, const int *soc_dim, int n_eps,
                               int n_vertices, AbutShape **out, AbutError *error);

/* Sets *out to NULL; refuses an `out` that is NULL itself. */
AbutStatus abut_shape_check_out(AbutShape **out, AbutError *error);
/* Refuses a length that is not finite, not positive or outside the range above; `name` is its key. */
AbutStatus abut_shape_check_length(double value, const char *name, AbutError *error);
/* The same for `n` lengths, named name[i]. `values` may be NULL, which is refused. */
AbutStatus abut_shape_check_lengths(const double *values, int n, const char *name, AbutError *error);
/* The `out` and the keys "radius" and "length" of a round shape with an axis. */
AbutStatus abut_shape_check_round(double radius, double length, AbutShape **out, AbutError *error);
/* The `out` and the list of a shape that is made of `n` >= 2 others. */
AbutStatus abut_shape_check_parts(int n, const AbutShape *const *parts, AbutShape **out, AbutError *error);
/* Refuses a coordinate or offset that is not finite or beyond ABUT_LENGTH_MAX; it may be zero or negative. */
AbutStatus abut_shape_check_coordinate(double value, const char *name, AbutError *error);

/* Brings a . p <= b to a row n of unit length and its offset c, whatever the length of a. A row of unit length is kept
 * to the last digit. False when a is zero or not finite. */
bool abut_shape_unit_row(const double a[3], double b, double n[3], double *c);

/* Makes c, a point inside the shape, its scaling centre. The set at alpha = 1 stays. The radii become those that the
 * triangle inequality gives: valid, not the tightest. */
AbutStatus abut_shape_recentre(AbutShape *shape, const double c[3], AbutError *error);

#endif
