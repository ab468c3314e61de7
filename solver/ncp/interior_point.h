/* Follows the path to kappa by the interior-point method. */
#pragma once

#include "solver/ncp/newton_parts.h"

typedef struct AbutPathOptions {
	double kappa;     /* where the path ends */
	double tolerance; /* for residual and complementarity */
	int max_iterations;
	double boundary; /* tau: share of the step to the boundary of the cones that is taken; 0.95 */
	int patience;    /* stops after this many consecutive steps shorter than least_step; 0: never */
	double least_step;
	bool own_duals; /* each cone of z takes its own step to its boundary; otherwise all take that of y and s */
	bool centred;   /* products of slack and dual must not be below kappa either */
} AbutPathOptions;

/* Runs the primal-dual interior-point method from y, z and s of the iterate. z and s must be inside the cones. */
void abut_solve_path(const AbutNcp *ncp, const AbutPathOptions *options, AbutIterate *iterate, AbutSolveReport *report);
