/* Products with a block system, and with its inverse, of eight columns at once. */
#ifndef SOLVER_BLOCKS_COLUMNS_H
#define SOLVER_BLOCKS_COLUMNS_H

#include "base/lanes.h"
#include "solver/blocks/system.h"

/* out -= A X, or A' X, of a system that has not been solved; X and out are of 6 n lanes, body after body. */
void abut_block_system_subtract(const AbutBlockSystem *system, bool transposed, const AbutLanes *X, AbutLanes *out);

/* A^-1 X, and A'^-1 X, in the place of X (6 n lanes, body after body), of a system that has been solved. */
void abut_block_system_solve_again(const AbutBlockSystem *system, AbutLanes *X);
void abut_block_system_solve_transposed(const AbutBlockSystem *system, AbutLanes *X);

#endif
