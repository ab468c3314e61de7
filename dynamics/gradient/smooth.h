/* Moves a solved step from its solution to the central path, at the kappa of its derivative, and back. */
#pragma once

#include "dynamics/gradient/gradient.h"

/* Moves the island's solution to the path at kappa. Returns false if that point is not found. */
bool abut_gradient_smooth(AbutIsland *island, double kappa);
/* Restores the solution. */
void abut_gradient_unsmooth(AbutIsland *island);
