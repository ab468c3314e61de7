/* The derivative of a step of an island, or of a part of one, by the implicit function theorem. */
#ifndef DYNAMICS_GRADIENT_MAKE_H
#define DYNAMICS_GRADIENT_MAKE_H

#include "dynamics/gradient/part.h"

/* of the island, with the problem evaluated where the derivative is asked for. `scratch` and
 * `other` are used during the call alone. What is one-sided is told by part->refused. ABUT_ERROR_NUMERICAL: there is no
 * derivative to working precision. */
AbutStatus abut_gradient_part_make(AbutIsland *island, const AbutGradientAsk *ask, AbutGradientRoom *scratch,
                                   AbutGradientPart *other, AbutGradientPart *part);

/* What parts of all methods are carved from: bodies, parameters and maps, which the caller carves in turn; then the
 * system of a pattern, and lanes. `before`: contacts follow the velocities at the start. */
bool abut_gradient_room_reserve(AbutGradientRoom *room, size_t size);
void abut_gradient_carve_bodies(int n, int n_maps, const AbutGradientAsk *ask, AbutArena *arena,
                                AbutGradientPart *part);
void abut_gradient_carve_system(const AbutBlockPattern *pattern, bool before, AbutArena *arena, AbutGradientPart *part);

/* With the bodies' own blocks in part->sum and the maps filled: the matrix of the system, and its factors. */
bool abut_gradient_factorise(AbutGradientPart *part);

#endif
