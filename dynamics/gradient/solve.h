/* Solves a part's linear system for eight columns at once. */
#ifndef DYNAMICS_GRADIENT_SOLVE_H
#define DYNAMICS_GRADIENT_SOLVE_H

#include "dynamics/gradient/part.h"

/* Solves: with part->lanes.right the right sides of the balances and part->lanes.start the changes of the next poses at
 * fixed velocities (and part->lanes.before the velocities at the start), zero except for bodies `first` to `last`,
 * part->lanes.x becomes d(v+, w+). `parameters` (n_parameters; NULL: none change) is their effect on contacts; their
 * effect on bodies is in right and start. Returns false, here and below, if it does not converge. */
bool abut_gradient_solve(const AbutGradientPart *part, int first, int last, const AbutLanes *parameters);

/* Solves the same without corrections and parameters: numbers held by the regularised laws give way a little
 * (contact_stiffness.c); abut_gradient_correction measures how much. */
void abut_gradient_solve_once(const AbutGradientPart *part, int first, int last);

/* Returns the largest entry of the correction of part->lanes.x, a solution of part->lanes.right and part->lanes.start
 * by solve_once. */
double abut_gradient_correction(const AbutGradientPart *part);

/* Solves the transposed system: with part->lanes.x a cost's derivative by (v+, w+), part->lanes.right and
 * part->lanes.start become those by right sides and by starts (and part->lanes.before that by velocities at the start,
 * as contacts follow them), part->lanes.parameters that by what contacts make of parameters. */
bool abut_gradient_solve_transposed(const AbutGradientPart *part);

#endif
