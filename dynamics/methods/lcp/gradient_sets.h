/* Chooses the sets of clamped and separated points that a loss asks for. */
#pragma once

#include "dynamics/methods/lcp/gradient.h"

/* Changes the sets in the room to those that the loss asks for. */
void abut_lcp_change_sets(const AbutLcpDerivative *g);
