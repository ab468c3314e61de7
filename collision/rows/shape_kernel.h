/* Condenses a shape's rows under a cone law to a 4 x 4 stiffness, and recovers the changes of the rows. */
#pragma once

#include "collision/rows/rows_parts.h"

/* Condenses rows to `out`. `cones` must come from abut_conic_rows_cones, and `B_lambda` (n_eps) from the evaluation.
 * Writes `eps_map` (n_eps x 6). `scratch` must have room for abut_conic_rows_scratch doubles. Returns false if the
 * block of eps is singular. */
bool abut_conic_rows_condense(const AbutConicRows *rows, const AbutCone *cones, const AbutConeLaw *law,
                              const double *B_lambda, double *scratch, AbutShapeStiffness *out, double *eps_map);
int abut_conic_rows_scratch(const AbutConicRows *rows);

/* Computes d eps from d(p, alpha), and then dH and d lambda of all rows. */
void abut_conic_rows_recover(const AbutConicRows *rows, const AbutCone *cones, const AbutConeLaw *law, double weight,
                             const double *eps_map, const AbutRowsStep *step);
