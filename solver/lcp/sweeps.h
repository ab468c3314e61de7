/* Solves a boxed problem by projected Gauss-Seidel. */
#pragma once

#include "solver/lcp/problem.h"

/* Solves by sweeps of projected Gauss-Seidel. If the method fails, x is undefined. */
void abut_boxed_lcp_sweep(const AbutBoxedLcp *problem, AbutBoxedRoom *room, AbutBoxedReport *report);
