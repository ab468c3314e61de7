/* The interior point method, down to kappa. */
#ifndef SOLVER_NCP_INTERIOR_POINT_H
#define SOLVER_NCP_INTERIOR_POINT_H

#include "solver/ncp/newton_parts.h"

typedef struct AbutPathOptions {
	double kappa;     /* where the path ends */
	double tolerance; /* of residual and complementarity */
	int max_iterations;
	double boundary; /* tau: fraction of the step to the cones' boundary; 0.95 */
	int patience;    /* stop after so many consecutive steps shorter than least_step; 0: never */
	double least_step;
	bool centred; /* products of slack and dual may not be below kappa either */
} AbutPathOptions;

/* Runs the primal-dual interior point from the iterate's y, z, s (inside the cones). */
void abut_solve_path(const AbutNcp *ncp, const AbutPathOptions *options, AbutIterate *iterate, AbutSolveReport *report);

#endif
