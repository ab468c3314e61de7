/* Solves the boxed linear complementarity problem, whose bounds may depend on other unknowns:
 *
 *     w = A x + b,    lo <= x <= hi,    w_i >= 0 where x_i = lo_i,  w_i <= 0 where x_i = hi_i,  otherwise w_i = 0.
 *
 * A is symmetric and positive semidefinite. If friction[i] = j >= 0, the bounds of x_i are -hi_i x_j and hi_i x_j. Then
 * hi_i is the friction coefficient, and j a row with lo_j = 0 that has no friction index itself.
 *
 * A may be singular, for example for four points of a face. Three methods, each in its own file, find the index sets.
 * The equations of the sets (solver/lcp/coupled.c) then give the solution. Among solutions with the same w, it is the
 * one of least effort. If a method finds no solution, the others are tried (boxed_lcp.c). Tested by enumeration of all
 * index sets in tests/solver/test_boxed_lcp.c and test_boxed_lcp_methods.c. */
#pragma once

#include "solver/lcp/problem.h"

/* Solves by the given method. If it finds no solution whose bounds follow from its own normal impulses, Lemke's method
 * is tried. After this, Dantzig's method is tried, which may find a solution with fixed bounds. The last resort is the
 * result of sweeps. x and w are never NaN. */
void abut_boxed_lcp_solve(const AbutBoxedLcp *problem, AbutBoxedMethod method, AbutBoxedRoom *room,
                          AbutBoxedReport *report);
