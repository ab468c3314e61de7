/* Refuses derivatives of parts whose contacts hold more directions than the bodies have degrees of freedom. */
#pragma once

#include "dynamics/gradient/part.h"

/* Refuses those derivatives of an exact part for which its contacts hold more directions than the bodies have degrees
 * of freedom. Uses all lanes of the part as scratch. */
void abut_gradient_refuse_overheld(AbutGradientPart *part);

/* Computes changes of the next state, one per lane, into part->lanes.next. For poses or impulses (`by`), each lane is a
 * sum of all their columns with random signs, scaled so that a body in flight moves by about 1. Otherwise each lane is
 * one parameter, starting at `by`. */
void abut_gradient_drive(const AbutGradientPart *part, int by);
