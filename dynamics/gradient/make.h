/* Computes the derivative of one part of an island's step by the implicit function theorem. */
#pragma once

#include "dynamics/gradient/part.h"

/* Makes the derivative of the island's step at the point where its problem was last evaluated. `scratch` and `other`
 * are used during the call only. Derivatives that do not exist are listed in part->refused, with the reason. Returns
 * ABUT_ERROR_NUMERICAL if the system is singular to working precision. */
AbutStatus abut_gradient_part_make(AbutIsland *island, const AbutGradientAsk *ask, AbutGradientRoom *scratch,
                                   AbutGradientPart *other, AbutGradientPart *part);
