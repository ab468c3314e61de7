/* Solving a part's linear system, eight columns at once. */
#ifndef DYNAMICS_GRADIENT_SOLVE_H
#define DYNAMICS_GRADIENT_SOLVE_H

#include "dynamics/gradient/part.h"

/* with part->right the right sides of the balances and part->start the changes of the next
 * poses at fixed velocities (and part->before the velocities at the start), zero but for bodies `first` to `last`,
 * part->x becomes d(v+, w+). `parameters` (n_parameters; NULL: none change) is what contacts make of their changes;
 * what bodies make of them is in right and start. False, here and below: it does not converge. */
bool abut_gradient_solve(const AbutGradientPart *part, int first, int last, const AbutLanes *parameters);

/* The same without corrections and parameters: what the regularised laws hold gives way a little (contact_stiffness.c),
 * by as much as abut_gradient_correction tells, */
void abut_gradient_solve_once(const AbutGradientPart *part, int first, int last);

/* the largest entry of the correction of part->x, a solution of part->right and part->start by solve_once. */
double abut_gradient_correction(const AbutGradientPart *part);

/* The transposed: with part->x a cost's derivative by (v+, w+), part->right and part->start become those by right sides
 * and by starts (and part->before that by velocities at the start, as contacts follow them), part->parameters that by
 * what contacts make of parameters. */
bool abut_gradient_solve_transposed(const AbutGradientPart *part);

#endif
