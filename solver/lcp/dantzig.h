/* Dantzig's method. */
#ifndef SOLVER_LCP_DANTZIG_H
#define SOLVER_LCP_DANTZIG_H

#include "solver/lcp/problem.h"

/* Lets one index after the other enter: its w is driven to zero or its x to a bound, while all earlier ones stay
 * complementary (Baraff 1994). Rows with friction come last. Their bounds follow the normal impulses:
 *
 *     pass 1     bounds from the problem without friction, as in ODE and DART; this always ends;
 *     coupled    with the sets of the pass, x_i = +-hi_i x_j enters the equations of the clamped indices; if the
 *                solution violates conditions, the sets change as it implies, a few times (semismooth Newton). Only a
 *                solution of the problem as stated is accepted;
 *     pass 2 ... otherwise Dantzig again, with bounds from the normal impulses of the last pass.
 *
 * If the passes end without a solution, the last one counts, with its fixed bounds (ABUT_BOXED_FROZEN). For the pivots
 * A is regularised: its diagonal is multiplied by 1 + 1e-8. The solution is then refined to one of A itself with the
 * same sets; if that violates conditions, a sequence of such problems, and larger factors, lead to one (proximal point
 * method). Impulses that A leaves open are therefore about those of least effort.
 *
 * `most_passes` is at least 1; with 1 the coupled equations are not tried: ODE's law. On failure x is meaningless. */
enum { ABUT_BOXED_PASSES = 12 };
void abut_boxed_lcp_dantzig(const AbutBoxedLcp *problem, int most_passes, AbutBoxedRoom *room, AbutBoxedReport *report);

#endif
