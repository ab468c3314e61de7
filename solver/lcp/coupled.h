/* The equations of index sets whose bounds follow other unknowns. */
#ifndef SOLVER_LCP_COUPLED_H
#define SOLVER_LCP_COUPLED_H

#include <stdbool.h>

#include "solver/lcp/problem.h"

/* Solves the equations of the clamped indices,
 *
 *     (A_CC + A_CB E) x_C = -b_C - A_CN x_N,    x_B = E x_C,
 *
 * where B are the indices at a bound that depends on a clamped index, N the others at a bound. `right` holds n_rhs
 * right-hand sides (m x n_rhs, column-major), `scratch` has room for twice as many. If A_CC is singular, the solution
 * is about that of least effort. Returns the largest |right - K x|, infinity on failure. */
double abut_boxed_lcp_solve_clamped(const AbutBoxedLcp *problem, AbutBoxedRoom *room, int n_rhs, double *right,
                                    double *scratch);
/* Returns +hi or -hi for an index of B, otherwise 0. */
double abut_boxed_lcp_slope(const AbutBoxedLcp *problem, const AbutBoxedRoom *room, int i);
/* Solves the equations; returns true if the result fulfils all conditions, and then replaces x, w and the sets.
 * Otherwise these stay, and the factor's list of clamped indices is meaningless. */
bool abut_boxed_lcp_couple(const AbutBoxedLcp *problem, AbutBoxedRoom *room);
/* Does the same starting from all rows clamped and x = 0. On failure x, w and the sets are meaningless. */
bool abut_boxed_lcp_stick(const AbutBoxedLcp *problem, AbutBoxedRoom *room);
/* Moves each index to where x - w / A_ii lies in its box, and lists the clamped ones. Returns false if no index moved.
 */
bool abut_boxed_lcp_change_sets(const AbutBoxedLcp *problem, AbutBoxedRoom *room, const double *x, const double *w);
/* Replaces a solution with bounds of its own by the one of least effort among those with the same w. */
void abut_boxed_lcp_least(const AbutBoxedLcp *problem, AbutBoxedRoom *room);

#endif
