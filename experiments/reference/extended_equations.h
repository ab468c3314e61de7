/* Evaluates the equations of an island in extended precision. */
#pragma once

#include "experiments/reference/extended_island.h"

/* Evaluates F at u, both (n). Moves the bodies to the end of the step and fills `slack`. */
void abut_extended_evaluate(AbutExtendedIsland *island, const AbutComplex *u, AbutComplex *F);
