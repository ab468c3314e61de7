/* Couplings of joints in method convex. They are conditions of the joints' solution, in which each has one impulse I on
 * its freedoms (dynamics/joint/coupling.h). With a spring, as of MuJoCo's equality/joint and equality/tendon, the
 * acceleration of its value k = q_a - ratio q_b - offset is that of a soft row:
 *
 *     k'' + R I / dt = -b k' - K d k,    dt k'' = (k+ - k) / dt - k',    R = A (1 - d) / d,
 *
 * with b, K and d of its solref and solimp at k, and k' of the rates in the step before. A is the sum of the mobilities
 * of both freedoms in SI, as of equality/joint, or that of the coupling, as of a fixed tendon. In the linear motion of
 * the contacts, each coupling is a tie of solver/soft/soft_contact.h.
 *
 * Tested in tests/dynamics/methods/convex/test_convex_coupling.c and tests/peers/test_convex_robots.c. */
#pragma once

#include "dynamics/methods/convex/rows.h"

/* Gives the island's couplings their springs. Call after the island is set up. */
void abut_convex_soften_couplings(const AbutLcpIsland *island);
/* Adds the couplings to the problem, held as in the linear motion about the joints' solution. */
void abut_convex_add_couplings(const AbutLcpIsland *island, AbutSoftProblem *problem);
/* Sets the impulses of couplings with springs that lead to the coordinates at hand. */
void abut_convex_coupling_impulses(const AbutLcpIsland *island);
