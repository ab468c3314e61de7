/* Multiplies a block system, and its inverse, with eight columns at once. */
#pragma once

#include "base/lanes.h"
#include "solver/blocks/system.h"

/* Subtracts A X, or (`transposed`) A' X, from out. The system must not be solved yet. X and out have 6 n lanes, body
 * after body. */
void abut_block_system_subtract(const AbutBlockSystem *system, bool transposed, const AbutLanes *X, AbutLanes *out);

/* Replace X (6 n lanes, body after body) by A^-1 X, or by the inverse of A' times X. The system must be solved. */
void abut_block_system_solve_again(const AbutBlockSystem *system, AbutLanes *X);
void abut_block_system_solve_transposed(const AbutBlockSystem *system, AbutLanes *X);
