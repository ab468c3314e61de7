/* Whether all that the contacts of a part hold can be held, whichever way the bodies are moved or pushed, or a. */
#ifndef DYNAMICS_GRADIENT_HELD_H
#define DYNAMICS_GRADIENT_HELD_H

#include "dynamics/gradient/part.h"

/* refuses what the contacts of an exact part hold more than there are freedoms for. Takes all
 * of the part's lanes. */
void abut_gradient_refuse_overheld(const AbutGradientPart *part);

/* Eight sums of all columns by poses or by impulses; or from `by` on eight parameters, one in each lane. Into
 * part->next, in units of what moves a body in flight by about 1. */
void abut_gradient_drive(const AbutGradientPart *part, int by);

#endif
