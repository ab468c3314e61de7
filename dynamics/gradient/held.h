/* Whether the contacts of a part can hold all they do, however the bodies are moved or pushed or a parameter changes.
 */
#ifndef DYNAMICS_GRADIENT_HELD_H
#define DYNAMICS_GRADIENT_HELD_H

#include "dynamics/gradient/part.h"

/* Refuses the derivatives for which the contacts of an exact part hold more than there are freedoms. Uses all lanes of
 * the part as scratch. */
void abut_gradient_refuse_overheld(const AbutGradientPart *part);

/* Computes eight sums of all columns by poses or by impulses, or, from `by` on, eight parameters, one a lane. Result in
 * part->lanes.next, in units of what moves a body in flight by about 1. */
void abut_gradient_drive(const AbutGradientPart *part, int by);

#endif
