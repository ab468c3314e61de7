/* Solves the equations of index sets whose bounds depend on other unknowns. */
#pragma once

#include <stdbool.h>

#include "solver/lcp/problem.h"

/* Solves the equations of the clamped indices C,
 *
 *     (A_CC + A_CB E) x_C = -b_C - A_CN x_N,    x_B = E x_C.
 *
 * B are the indices at a bound that depends on a clamped index, and N the other indices at a bound. `right` holds n_rhs
 * right-hand sides (m x n_rhs, column-major) and receives the solutions. `scratch` must have room for twice as many
 * entries. If A_CC is singular, the solution is approximately that of least effort. Returns the largest |right - K x|,
 * where K is the matrix on the left, or infinity if this fails. */
double abut_boxed_lcp_solve_clamped(const AbutBoxedLcp *problem, AbutBoxedRoom *room, int n_rhs, double *right,
                                    double *scratch);
/* Returns the entry of E for an index of B, +hi or -hi; otherwise 0. */
double abut_boxed_lcp_slope(const AbutBoxedLcp *problem, const AbutBoxedRoom *room, int i);
/* Solves the equations. If the result fulfils all conditions, replaces x, w and the sets, and returns true. Otherwise
 * these do not change, and the factor's list of clamped indices is undefined. */
bool abut_boxed_lcp_couple(const AbutBoxedLcp *problem, AbutBoxedRoom *room);
/* Solves the equations from all rows clamped and x = 0. If this fails, x, w and the sets are undefined. */
bool abut_boxed_lcp_stick(const AbutBoxedLcp *problem, AbutBoxedRoom *room);
/* Moves each index to the set in which x - w / A_ii lies, and lists the clamped ones. Returns false if no index has
 * moved. */
bool abut_boxed_lcp_change_sets(const AbutBoxedLcp *problem, AbutBoxedRoom *room, const double *x, const double *w);
/* Replaces a solution by that of least effort among those with the same w. Its bounds must be those of its own normal
 * impulses. */
void abut_boxed_lcp_least(const AbutBoxedLcp *problem, AbutBoxedRoom *room);
