/* Dantzig's method. */
#ifndef SOLVER_LCP_DANTZIG_H
#define SOLVER_LCP_DANTZIG_H

#include "solver/lcp/problem.h"

/* Brings in one index after the other, its w driven to zero or its x to a bound, while all
 * that have come before stay complementary (Baraff 1994). Rows with friction come last. How their bounds follow the
 * normal impulses:
 *
 *   pass 1     from the normal impulses of the problem without friction; this is what ODE and DART solve, and it ends;
 *   coupled    with the sets that a pass ends with, x_i = +-hi_i x_j is put into the equations of those that are
 *              clamped; where the solution does not fulfil all conditions, sets change to what it tells them to be, a
 *              few times (semismooth Newton). Accepted is a solution of the problem as stated above;
 *   pass 2 ... otherwise Dantzig once more, with bounds from the normal impulses of the last pass.
 *
 * Where the passes end without one, the last of them stands, with its fixed bounds (ABUT_BOXED_FROZEN). A is
 * regularised for the pivots: the diagonal times 1 + 1e-8. The solution is refined to one of A itself with the same
 * sets; where that does not fulfil all conditions, a sequence of such problems, and larger factors, lead to one (the
 * proximal point method). So impulses that A leaves open are those of the least effort, about.
 *
 * At most as many passes, >= 1; with 1 the coupled equations are not tried: ODE's law. Where it fails x means nothing.
 */
enum { ABUT_BOXED_PASSES = 12 };
void abut_boxed_lcp_dantzig(const AbutBoxedLcp *problem, int most_passes, AbutBoxedRoom *room, AbutBoxedReport *report);

#endif
