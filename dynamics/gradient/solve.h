/* Solves a part's linear system for eight columns at once. */
#pragma once

#include "dynamics/gradient/part.h"

/* Solves for d(v+, w+) into part->lanes.x, and overwrites part->lanes.right. Inputs are in part->lanes: the right sides
 * of the balances (`right`), the changes of the next poses at fixed velocities (`start`), and the velocities at the
 * start (`before`, if not NULL). `start` must be zero except for bodies `first` to `last`. `parameters` (n_parameters;
 * NULL: none change) act here on contacts only; the caller adds their effect on bodies to `right` and `start`. Returns
 * false, here and below, if the solve does not converge. */
bool abut_gradient_solve(const AbutGradientPart *part, int first, int last, const AbutLanes *parameters);

/* Solves the same system without corrections and parameters. Numbers held by the regularised laws then move a little
 * (contact_stiffness.c). abut_gradient_correction measures the resulting error. */
void abut_gradient_solve_once(const AbutGradientPart *part, int first, int last);

/* Returns the largest entry of the correction of part->lanes.x. This must be a sum of solutions of
 * abut_gradient_solve_once, with the same sum of right sides in part->lanes.right and part->lanes.start. */
double abut_gradient_correction(const AbutGradientPart *part);

/* Solves the transposed system. part->lanes.x holds the gradient of a cost with respect to (v+, w+). The results are in
 * part->lanes: the gradient with respect to right sides (`right`), to starts (`start`), to velocities at the start
 * (`before`, if not NULL), and to parameters through the contacts (`parameters`). */
bool abut_gradient_solve_transposed(const AbutGradientPart *part);
