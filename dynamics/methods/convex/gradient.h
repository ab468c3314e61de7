/* The derivative of an island's step of method convex, as a part that dynamics/gradient/part.h knows how to solve. */
#ifndef DYNAMICS_METHODS_CONVEX_GRADIENT_H
#define DYNAMICS_METHODS_CONVEX_GRADIENT_H

#include "dynamics/gradient/part.h"
#include "dynamics/methods/convex/rows.h"

/* Whether a derivative by parameters of this kind is to be had of the method. */
static inline bool abut_convex_has_parameter(AbutParameterKind kind)
{
	return kind == ABUT_PARAMETER_MASS || kind == ABUT_PARAMETER_INERTIA || kind == ABUT_PARAMETER_GRAVITY ||
	       kind == ABUT_PARAMETER_FRICTION;
}

/* dynamics/methods/convex/gradient.c: of the island under way, whose bodies are where its step leads. The step itself
 * is not kept yet.
 */
AbutStatus abut_convex_part_make(AbutLcpIsland *island, const AbutGradientAsk *ask, AbutGradientPart *part);

/* dynamics/methods/convex/map.c: one contact, whose points begin at `first_point` of the room's; sizes and memory, then
 * the matrix. */
void abut_convex_map_carve(const AbutLcpIsland *island, int contact, const AbutGradientAsk *ask, AbutArena *arena,
                           AbutContactMap *out);
void abut_convex_map_fill(const AbutLcpIsland *island, int contact, int first_point, const AbutGradientAsk *ask,
                          AbutContactMap *out);

#endif
