/* Evaluates the equations of an island in extended precision. */
#ifndef EXPERIMENTS_REFERENCE_EXTENDED_EQUATIONS_H
#define EXPERIMENTS_REFERENCE_EXTENDED_EQUATIONS_H

#include "experiments/reference/extended_island.h"

/* Evaluates F at u, both (n). Moves the bodies to the end of the step and fills `slack`. */
void abut_extended_evaluate(AbutExtendedIsland *island, const AbutComplex *u, AbutComplex *F);

#endif
