/* Computes the matrix of a contact of method convex, for the derivative of a step. */
#pragma once

#include "dynamics/gradient/part.h"
#include "dynamics/methods/convex/rows.h"

/* Sets the sizes of a contact's matrix and carves it from the arena. */
void abut_convex_map_carve(const AbutLcpIsland *island, int contact, const AbutGradientAsk *ask, AbutArena *arena,
                           AbutEdgeMap *out);
/* Fills the carved matrix. `first_point` is the index of the contact's first point among the island's points. */
void abut_convex_map_fill(const AbutLcpIsland *island, int contact, int first_point, const AbutGradientAsk *ask,
                          AbutEdgeMap *out);
