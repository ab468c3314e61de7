/* The boxed linear complementarity problem, with bounds that may hang on other unknowns:
 *
 *     w = A x + b,    lo <= x <= hi,    w_i >= 0 where x_i = lo_i,  w_i <= 0 where x_i = hi_i,  otherwise w_i = 0,
 *
 * A symmetric positive semidefinite. Where friction[i] = j >= 0, the bounds of x_i are -hi_i x_j and hi_i x_j: hi_i is
 * then the coefficient of friction, and j a row with lo_j = 0 and without friction of its own.
 *
 * A may be singular, as of four points of a face. Three methods, each in a file of its own, find index sets; the
 * equations of the sets (solver/lcp/coupled.c) then give the solution, and of those that A leaves open the one of least
 * effort (solver/lcp/coupled.c). Where one method finds none, others are tried (boxed_lcp.c). Tested against all index
 * sets in tests/solver/test_boxed_lcp.c and test_boxed_lcp_methods.c. */
#ifndef SOLVER_LCP_BOXED_LCP_H
#define SOLVER_LCP_BOXED_LCP_H

#include "solver/lcp/problem.h"

/* By the method, and where that finds no solution with bounds of its own normal impulses by Lemke's, then by Dantzig's,
 * which may have one with fixed bounds; and where there is none at all, what sweeps have. Never NaN in x and w. */
void abut_boxed_lcp_solve(const AbutBoxedLcp *problem, AbutBoxedMethod method, AbutBoxedRoom *room,
                          AbutBoxedReport *report);

#endif
