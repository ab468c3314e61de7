/* Solves the whole Newton system by LAPACK. This is slow but general, and serves as the reference for the condensed
 * solver, which must give the same directions to rounding and the same iteration counts
 * (tests/dynamics/contact/test_directions.c). */
#pragma once

#include "solver/ncp/ncp.h"

/* Builds and factorises the matrix, and solves for the directions of both lanes. Returns false if it is singular. */
bool abut_dense_condense(const AbutNcp *ncp, AbutIterate *iterate);

/* Sets dy, dz, dH of the iterate to lane 0 + weight * lane 1. */
void abut_dense_recover(const AbutNcp *ncp, AbutIterate *iterate, double weight);
