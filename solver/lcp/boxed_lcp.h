/* The boxed linear complementarity problem, whose bounds may depend on other unknowns:
 *
 *     w = A x + b,    lo <= x <= hi,    w_i >= 0 where x_i = lo_i,  w_i <= 0 where x_i = hi_i,  otherwise w_i = 0,
 *
 * A symmetric positive semidefinite. Where friction[i] = j >= 0, the bounds of x_i are -hi_i x_j and hi_i x_j: hi_i is
 * then the coefficient of friction, and j a row with lo_j = 0 and without friction of its own.
 *
 * A may be singular, for example with four points of a face. Three methods, each in its own file, find index sets. The
 * equations of the sets (solver/lcp/coupled.c) then give the solution; among solutions with the same w, the one of
 * least effort. If a method finds no solution, the others are tried (boxed_lcp.c). Tested against all index sets in
 * tests/solver/test_boxed_lcp.c and test_boxed_lcp_methods.c. */
#ifndef SOLVER_LCP_BOXED_LCP_H
#define SOLVER_LCP_BOXED_LCP_H

#include "solver/lcp/problem.h"

/* Solves by the method. If that finds no solution with bounds of its own normal impulses, Lemke's method is tried, then
 * Dantzig's, which may find one with fixed bounds; as a last resort the result of sweeps. x and w are never NaN. */
void abut_boxed_lcp_solve(const AbutBoxedLcp *problem, AbutBoxedMethod method, AbutBoxedRoom *room,
                          AbutBoxedReport *report);

#endif
