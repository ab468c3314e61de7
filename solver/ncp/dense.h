/* The dense linear algebra: the whole Newton matrix through LAPACK. Slow, general, and the oracle of the condensed
 * path: the same directions to rounding, the same iteration counts (tests/dynamics/contact/test_directions.c). */
#ifndef SOLVER_NCP_DENSE_H
#define SOLVER_NCP_DENSE_H

#include "solver/ncp/ncp.h"

/* Builds and factorises; the directions of both lanes are ready afterwards. False when the matrix is singular. */
bool abut_dense_condense(const AbutNcp *ncp, AbutIterate *iterate);

/* dy, dz, dH of the iterate for lanes 0 + weight * 1. */
void abut_dense_recover(const AbutNcp *ncp, AbutIterate *iterate, double weight);

#endif
