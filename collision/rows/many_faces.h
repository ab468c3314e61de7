/* Polytopes of many faces: W of collision/rows/rows_parts.h stored also by columns, so that loops over the rows take
 * several at once without shuffles. */
#ifndef COLLISION_ROWS_MANY_FACES_H
#define COLLISION_ROWS_MANY_FACES_H

#include "collision/rows/rows_parts.h"

/* With this many faces a step of two shapes is 7 % faster by columns; more faces gain more. */
enum { ABUT_MANY_FACES = 16 };

/* Fills the columns (4 x n_rows) from W. */
void abut_many_faces_fill(const AbutConicRows *rows, double *columns);

/* Do the same as the functions with these endings in collision/rows/conic_rows.h and shape_kernel.h. */
void abut_many_faces_evaluate(const AbutConicRows *rows, const AbutRowsPoint *point, double *H, double g[3],
                              double *d_lambda);
void abut_many_faces_condense(const AbutConicRows *rows, const AbutCone *cone, const AbutConeLaw *law,
                              AbutShapeStiffness *out);
void abut_many_faces_recover(const AbutConicRows *rows, const AbutCone *cone, const AbutConeLaw *law, double weight,
                             const double d_point[4], double *d_lambda, double *dH);

#endif
