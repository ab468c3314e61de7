/* Makes the contact points of all active pairs at the start of the step. */
#pragma once

#include "dynamics/methods/manifold/island.h"

/* Makes the contact points of all active pairs; pairs without points become inactive. */
void abut_manifolds_make(const AbutModel *model, AbutWorkspace *w);
