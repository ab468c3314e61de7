/* Solves a part's linear system for eight columns at once. */
#ifndef DYNAMICS_GRADIENT_SOLVE_H
#define DYNAMICS_GRADIENT_SOLVE_H

#include "dynamics/gradient/part.h"

/* Solves for d(v+, w+) into part->lanes.x. Inputs are the right sides of the balances, part->lanes.right, the changes
 * of the next poses at fixed velocities, part->lanes.start, and the velocities at the start, part->lanes.before, if
 * any. They are zero except for bodies `first` to `last`. `parameters` (n_parameters; NULL: none change) act on
 * contacts; their effect on bodies is in right and start. Returns false, here and below, if the solve does not
 * converge. */
bool abut_gradient_solve(const AbutGradientPart *part, int first, int last, const AbutLanes *parameters);

/* Solves the same without corrections and parameters: numbers held by the regularised laws then move a little
 * (contact_stiffness.c). abut_gradient_correction measures how much. */
void abut_gradient_solve_once(const AbutGradientPart *part, int first, int last);

/* Returns the largest entry of the correction of part->lanes.x, a solution of part->lanes.right and part->lanes.start
 * by solve_once. */
double abut_gradient_correction(const AbutGradientPart *part);

/* Solves the transposed system. part->lanes.x holds a cost's derivative by (v+, w+). The result is its derivative by
 * right sides, by starts and, if contacts depend on them, by velocities at the start, in part->lanes.right, start and
 * before, and by parameters through the contacts, in part->lanes.parameters. */
bool abut_gradient_solve_transposed(const AbutGradientPart *part);

#endif
