/* Makes the rows of a shape in the solver's form (collision/rows/rows_parts.h), and evaluates them. */
#pragma once

#include "collision/rows/rows_parts.h"

/* Makes the rows of `shape`. Points are moved by -origin (3), and lengths are divided by `unit`. `shape` must outlive
 * the rows. */
AbutStatus abut_conic_rows_create(const AbutShape *shape, const double origin[3], double unit, AbutConicRows *out);
/* Makes the rows of `shape` with the divisor `divisor` (m) instead of the outer radius. Rows of a halfspace are never
 * divided; `divisor` is then ignored. */
AbutStatus abut_conic_rows_create_divided(const AbutShape *shape, const double origin[3], double unit, double divisor,
                                          AbutConicRows *out);
/* Changes the rows of a bounded shape that is given by planes A p <= b alone, to those of the single-level
 * paper, except that the rows of A have length 1. These rows are not divided by the shape's size, and have alpha b
 * instead of alpha d + h: the shape is scaled about the origin of its frame. Requires unit = 1. Does nothing if the
 * origin is not inside the shape, or if the shape has other rows. */
void abut_conic_rows_as_given(const AbutShape *shape, const double origin[3], AbutConicRows *rows);
void abut_conic_rows_destroy(AbutConicRows *rows);

/* Appends the cones of the rows, with weight C of the exact law. Their entries in z start at `offset`, and their law
 * coefficients at *law, which is advanced. Returns the number of cones. `cones` may be NULL to count them. */
int abut_conic_rows_cones(const AbutConicRows *rows, int offset, double weight, int *law, AbutCone *cones);

/* Computes H (n_rows) at a point, g = A' lambda (3), d' lambda, and B' lambda (n_eps). */
void abut_conic_rows_evaluate(const AbutConicRows *rows, const AbutRowsPoint *point, double *H, double g[3],
                              double *d_lambda, double *B_lambda);

/* Changes the positive duals of a polytope as little as possible so that A' lambda becomes g, as far as their faces
 * allow this. No dual becomes negative. Duals of other shapes do not change. */
void abut_conic_rows_turn(const AbutConicRows *rows, const double g[3], double *lambda);
