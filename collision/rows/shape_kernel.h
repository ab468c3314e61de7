/* Condenses a shape's rows under a law to a 4 x 4 stiffness, and recovers them. */
#ifndef COLLISION_ROWS_SHAPE_KERNEL_H
#define COLLISION_ROWS_SHAPE_KERNEL_H

#include "collision/rows/rows_parts.h"

/* Condenses rows. `cones` are those of abut_conic_rows_cones; `B_lambda` (n_eps) comes from the evaluation; `eps_map`
 * (n_eps x 6) is written; `scratch` has abut_conic_rows_scratch doubles. Returns false if the eps block is singular. */
bool abut_conic_rows_condense(const AbutConicRows *rows, const AbutCone *cones, const AbutConeLaw *law,
                              const double *B_lambda, double *scratch, AbutShapeStiffness *out, double *eps_map);
int abut_conic_rows_scratch(const AbutConicRows *rows);

/* Computes d eps from d(p, alpha), then dH and d lambda of all rows. */
void abut_conic_rows_recover(const AbutConicRows *rows, const AbutCone *cones, const AbutConeLaw *law, double weight,
                             const double *eps_map, const AbutRowsStep *step);

#endif
