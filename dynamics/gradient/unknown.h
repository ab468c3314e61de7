/* Functions of dynamics/gradient/unknown.c. */
#ifndef DYNAMICS_GRADIENT_UNKNOWN_H
#define DYNAMICS_GRADIENT_UNKNOWN_H

#include "dynamics/gradient/part.h"

/* refuses what the equations do not tell. */
void abut_gradient_refuse_overlap(const AbutGradientAsk *ask, const AbutPair *pair, AbutGradientPart *part);
void abut_gradient_refuse_unknown(const AbutIsland *island, const AbutGradientAsk *ask, AbutGradientPart *part);

#endif
