/* Handles polytopes of many faces. Their matrix W (collision/rows/rows_parts.h) is also stored by columns, so that
 * loops process several rows at once without shuffles. */
#pragma once

#include "collision/rows/rows_parts.h"

/* From this number of faces on, storage by columns is used. With 16 faces, a step of two shapes is 7 % faster, and with
 * more faces it gains more. */
enum { ABUT_MANY_FACES = 16 };

/* Fills the columns (4 x n_rows) from W. */
void abut_many_faces_fill(const AbutConicRows *rows, double *columns);

/* Evaluate, condense and recover such rows, like the functions with the same endings in collision/rows/conic_rows.h and
 * shape_kernel.h. */
void abut_many_faces_evaluate(const AbutConicRows *rows, const AbutRowsPoint *point, double *H, double g[3],
                              double *d_lambda);
void abut_many_faces_condense(const AbutConicRows *rows, const AbutCone *cone, const AbutConeLaw *law,
                              AbutShapeStiffness *out);
void abut_many_faces_recover(const AbutConicRows *rows, const AbutCone *cone, const AbutConeLaw *law, double weight,
                             const double d_point[4], double *d_lambda, double *dH);
