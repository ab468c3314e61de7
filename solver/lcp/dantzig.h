/* Solves a boxed problem by Dantzig's method. */
#pragma once

#include "solver/lcp/problem.h"

/* Lets one index after the other enter: its w is driven to zero or its x to a bound, while all earlier indices stay
 * complementary (Baraff 1994). Rows with friction come last. Their bounds follow from the normal impulses:
 *
 *     pass 1     bounds from the problem without friction, as in ODE and DART; this pass always ends;
 *     coupled    with the sets of the pass, x_i = +-hi_i x_j enters the equations of the clamped indices. If the
 *                solution violates conditions, the sets change as it implies, a few times (semismooth Newton). Only
 *                a solution of the problem as stated is accepted;
 *     pass 2 ... otherwise Dantzig's method again, with bounds from the normal impulses of the last pass.
 *
 * If no pass leads to a solution, the last one is returned with its fixed bounds (ABUT_BOXED_FROZEN). For the pivots, A
 * is regularised: its diagonal is multiplied by 1 + 1e-8. The solution is then refined to one of A itself with the same
 * sets. If it violates conditions, a sequence of such problems, and other factors, lead to a solution (proximal point
 * method). Therefore impulses that A does not determine are approximately those of least effort.
 *
 * `most_passes` must be at least 1. With 1, the coupled equations are not tried: this is ODE's law. If the method
 * fails, x is undefined. */
enum { ABUT_BOXED_PASSES = 12 };
void abut_boxed_lcp_dantzig(const AbutBoxedLcp *problem, int most_passes, AbutBoxedRoom *room, AbutBoxedReport *report);
