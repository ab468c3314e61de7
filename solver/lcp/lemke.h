/* Lemke's method. */
#ifndef SOLVER_LCP_LEMKE_H
#define SOLVER_LCP_LEMKE_H

#include "solver/lcp/problem.h"

/* Solves by Lemke's pivots; each row needs a finite bound. On failure x is meaningless. */
void abut_boxed_lcp_lemke(const AbutBoxedLcp *problem, AbutBoxedRoom *room, AbutBoxedReport *report);

#endif
