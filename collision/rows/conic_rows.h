/* The rows of a shape in the solver's form (collision/rows/rows_parts.h), and their values. */
#ifndef COLLISION_ROWS_CONIC_ROWS_H
#define COLLISION_ROWS_CONIC_ROWS_H

#include "collision/rows/rows_parts.h"

/* Makes the rows of `shape`, which must outlive them, with points moved by -origin (3) and lengths divided by `unit`.
 */
AbutStatus abut_conic_rows_create(const AbutShape *shape, const double origin[3], double unit, AbutConicRows *out);
/* Does the same, but divides the rows by `divisor` (m) instead of the outer radius. The rows of a halfspace are not
 * divided; `divisor` is then ignored. */
AbutStatus abut_conic_rows_create_divided(const AbutShape *shape, const double origin[3], double unit, double divisor,
                                          AbutConicRows *out);
/* Changes the rows of a bounded shape given only by planes, A p <= b, in a unit of 1, to those of the single-level
 * paper except for their length, which is 1: not divided by the shape's size, and with alpha b instead of alpha d + h,
 * so that the shape is scaled about the origin of its frame, which must lie inside. Other rows stay. */
void abut_conic_rows_as_given(const AbutShape *shape, const double origin[3], AbutConicRows *rows);
void abut_conic_rows_destroy(AbutConicRows *rows);

/* Appends the cones of the rows (weight C of the exact law), with z entries from `offset` and law coefficients from
 * *law; returns their number. `cones` may be NULL to count. */
int abut_conic_rows_cones(const AbutConicRows *rows, int offset, double weight, int *law, AbutCone *cones);

/* Computes H (n_rows) at a point, and g = A' lambda (3), d' lambda, B' lambda (n_eps). */
void abut_conic_rows_evaluate(const AbutConicRows *rows, const AbutRowsPoint *point, double *H, double g[3],
                              double *d_lambda, double *B_lambda);

/* Changes the positive duals of a polytope as little as possible so that A' lambda becomes g, as far as their faces
 * allow; none becomes negative. Duals of other shapes stay. */
void abut_conic_rows_turn(const AbutConicRows *rows, const double g[3], double *lambda);

#endif
