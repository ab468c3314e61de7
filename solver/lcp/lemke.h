/* Solves a boxed problem by Lemke's method. */
#pragma once

#include "solver/lcp/problem.h"

/* Solves by Lemke's pivots. Each row must have a finite bound. If the method fails, x is undefined. */
void abut_boxed_lcp_lemke(const AbutBoxedLcp *problem, AbutBoxedRoom *room, AbutBoxedReport *report);
