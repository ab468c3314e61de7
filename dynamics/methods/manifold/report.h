/* Reports a contact of a step: its impulse at the mean of its points, and the gap at the end of the step. */
#pragma once

#include "dynamics/methods/manifold/island.h"

/* Reports a contact of the solved island, whose bodies are at the end of the step. */
void abut_manifold_report(const AbutLcpIsland *island, int index, AbutStepInfo *info);
