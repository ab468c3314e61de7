/* Computes the matrix of a contact of method lcp, for the derivative of a step. */
#pragma once

#include "dynamics/gradient/part.h"
#include "dynamics/methods/manifold/island.h"

/* Sets the sizes of the matrix of the island's contact `contact` and carves it from the arena. Returns whether the
 * contact depends on the velocities at the start: it bounces. */
bool abut_lcp_map_carve(const AbutLcpIsland *island, int contact, AbutArena *arena, AbutEdgeMap *out);
/* Fills the carved matrix at the end of the step. Marks the contact as `unknown` if one of its clamped points has no
 * derivative; the matrix is then without this point. */
void abut_lcp_map_fill(const AbutLcpIsland *island, int contact, AbutEdgeMap *out);
