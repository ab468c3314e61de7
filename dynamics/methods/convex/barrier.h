/* Solves islands of method convex with barriers (Todorov, ICRA 2011). */
#pragma once

#include "dynamics/methods/convex/convex.h"
#include "dynamics/methods/manifold/island.h"

/* Returns the gap below which a pair's points act, in model units: the pair's margin if it is positive, otherwise a
 * 50th of the smaller outer radius. */
double abut_barrier_reach(const AbutModel *model, const struct AbutPair *pair);

/* Solves the island's problem: finds the impulses, boxed.x of its room. Returns false if the residual is too large. */
bool abut_barrier_solve(AbutLcpIsland *island, AbutStepInfo *info);
/* Solves the inverse problem: finds the impulses that lead to the velocities `next` of the island's bodies, and stores
 * them in its room's boxed.x. */
bool abut_barrier_impulses(AbutLcpIsland *island);
