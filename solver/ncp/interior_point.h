/* The interior point down to kappa. */
#ifndef SOLVER_NCP_INTERIOR_POINT_H
#define SOLVER_NCP_INTERIOR_POINT_H

#include "solver/ncp/newton_parts.h"

typedef struct AbutPathOptions {
	double kappa;     /* where to end */
	double tolerance; /* of residual and complementarity */
	int max_iterations;
	double boundary; /* tau: fraction of the way to the cones' boundary; 0.95 */
	int patience;    /* stop after as many steps in a row that are shorter than the next; 0: never */
	double least_step;
	bool centred; /* no product of slack and dual may be below kappa either */
} AbutPathOptions;

/* Primal-dual interior point from the iterate's y, z, s (inside the cones). */
void abut_solve_path(const AbutNcp *ncp, const AbutPathOptions *options, AbutIterate *iterate, AbutSolveReport *report);

#endif
