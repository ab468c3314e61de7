/* Steps with the methods lcp and convex: finds contact points, then solves a problem per island by the method's rule.
 */
#pragma once

#include "dynamics/methods/manifold/island.h"

/* Does everything that precedes the solution of islands: gathers bodies, makes manifolds and reserves memory. */
AbutStatus abut_lcp_prepare(const AbutModel *model, const AbutState *state, AbutWorkspace *w);
AbutLcpIsland abut_lcp_island(const AbutModel *model, const AbutState *state, AbutWorkspace *w, int island, int thread);

/* Computes the velocities next = v* + M^-1 J' x of all bodies. */
void abut_lcp_push(const AbutLcpIsland *island);

/* Solves all islands; an alternative to abut_step's solution in the workspace. */
AbutStatus abut_lcp_step(const AbutModel *model, const AbutState *state, AbutWorkspace *w, const AbutStepWatch *watch,
                         AbutStepInfo *info);
