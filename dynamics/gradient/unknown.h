/* Refuses derivatives that the equations of a step do not determine. */
#pragma once

#include "dynamics/gradient/part.h"

/* Refuses the derivatives with respect to poses and to parameters that change the initial overlap of the pair. */
void abut_gradient_refuse_overlap(const AbutGradientAsk *ask, const AbutPair *pair, AbutGradientPart *part);
/* Refuses all derivatives that the island's equations do not determine. */
void abut_gradient_refuse_unknown(const AbutIsland *island, const AbutGradientAsk *ask, AbutGradientPart *part);
