/* The equations of index sets, with bounds that follow other unknowns. */
#ifndef SOLVER_LCP_COUPLED_H
#define SOLVER_LCP_COUPLED_H

#include <stdbool.h>

#include "solver/lcp/problem.h"

/* Solves the equations of the clamped indices,
 *
 *     (A_CC + A_CB E) x_C = -b_C - A_CN x_N,    x_B = E x_C,
 *
 * B being those at a bound that hangs on a clamped index, N the others at a bound. They are solved for n_rhs right-hand
 * sides in `right` (m x n_rhs, column-major), with `scratch` for twice as many; where A_CC is singular, one solution of
 * least effort, about. Returns the largest |right - K x|, infinity where nothing came of it. */
double abut_boxed_lcp_solve_clamped(const AbutBoxedLcp *problem, AbutBoxedRoom *room, int n_rhs, double *right,
                                    double *scratch);
/* +hi or -hi of an index of B, otherwise 0. */
double abut_boxed_lcp_slope(const AbutBoxedLcp *problem, const AbutBoxedRoom *room, int i);
/* Solves them; true where the result, which replaces x, w and the sets, fulfils all conditions. Otherwise those stay,
 * and the factor's list of clamped indices means nothing. */
bool abut_boxed_lcp_couple(const AbutBoxedLcp *problem, AbutBoxedRoom *room);
/* The same from all rows clamped and x = 0 on. Where it is false x, w and the sets mean nothing. */
bool abut_boxed_lcp_stick(const AbutBoxedLcp *problem, AbutBoxedRoom *room);
/* Each index to where x - w / A_ii lies in its box, and the list of the clamped ones. False when all were there. */
bool abut_boxed_lcp_change_sets(const AbutBoxedLcp *problem, AbutBoxedRoom *room, const double *x, const double *w);
/* Finds, of a solution with bounds of its own, the one of least effort among those with the same w. */
void abut_boxed_lcp_least(const AbutBoxedLcp *problem, AbutBoxedRoom *room);

#endif
