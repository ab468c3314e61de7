/* Contact by barriers (Todorov, ICRA 2011) for the islands of method convex. */
#ifndef DYNAMICS_METHODS_CONVEX_BARRIER_H
#define DYNAMICS_METHODS_CONVEX_BARRIER_H

#include "dynamics/methods/convex/convex.h"
#include "dynamics/methods/manifold/island.h"

/* Returns the gap below which a pair's points act, in model units: its margin, or a 50th of the smaller outer radius.
 */
double abut_barrier_reach(const AbutModel *model, const struct AbutPair *pair);

/* Solves the island's problem, like abut_convex_solve. */
bool abut_barrier_solve(AbutLcpIsland *island, AbutStepInfo *info);
/* Solves the inverse problem: the impulses that lead to the velocities `next` of the island's bodies, into its room's
 * boxed.x. */
bool abut_barrier_impulses(AbutLcpIsland *island);

#endif
