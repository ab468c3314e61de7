/* The solution of least effort. */
#ifndef SOLVER_LCP_LEAST_H
#define SOLVER_LCP_LEAST_H

#include "solver/lcp/problem.h"

/* Finds, of a solution with bounds of its own, the one of least effort among those with the same w. */
void abut_boxed_lcp_least(const AbutBoxedLcp *problem, AbutBoxedRoom *room);

#endif
