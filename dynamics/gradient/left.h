/* Solves for the held numbers of a jointed part that are left over by its nodes (left.c). */
#pragma once

#include "dynamics/gradient/part.h"

/* Makes the system of the numbers that are left over. Overwrites the part's lanes. */
AbutStatus abut_gradient_left_make(AbutGradientPart *part);
/* Adds the effect of these numbers to the solution part->lanes.x of abut_gradient_nodes_solve. Leaves w in the first
 * entries of part->lanes.held. */
void abut_gradient_left_solve(const AbutGradientPart *part);
/* Goes before abut_gradient_nodes_solve_transposed: computes the gradient by these numbers into part->lanes.held, and
 * adds their effect to part->lanes.x. */
void abut_gradient_left_solve_transposed(const AbutGradientPart *part);

/* Returns the largest violation of a dropped number in a lane of the last solution, as a velocity in model units, and
 * its edge. */
double abut_gradient_left_violation(const AbutGradientPart *part, int lane, int *map);
/* Returns how far the bodies move by numbers whose equations leave them free, beside their effect on free bodies. It is
 * 0 up to rounding if the impulses of such numbers cancel each other, and the motion is unique. Sets the edge of the
 * number with the largest effect. */
double abut_gradient_left_free(const AbutGradientPart *part, int *map);
