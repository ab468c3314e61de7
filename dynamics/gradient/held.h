/* Refuses derivatives of parts whose contacts hold more than the bodies have degrees of freedom. */
#ifndef DYNAMICS_GRADIENT_HELD_H
#define DYNAMICS_GRADIENT_HELD_H

#include "dynamics/gradient/part.h"

/* Refuses the derivatives for which the contacts of an exact part hold more than the bodies' degrees of freedom. Uses
 * all lanes of the part as scratch. */
void abut_gradient_refuse_overheld(const AbutGradientPart *part);

/* Computes eight sums of all columns by poses or by impulses, or, from `by` on, eight parameters, one per lane. The
 * result is in part->lanes.next, in units that move a body in flight by about 1. */
void abut_gradient_drive(const AbutGradientPart *part, int by);

#endif
