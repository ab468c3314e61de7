/* Solves for the exact solution by the semismooth Newton method. */
#pragma once

#include "solver/ncp/newton_parts.h"

typedef struct AbutExactOptions {
	double tolerance; /* a point is solved if its natural residual is below this value */
	double goal;      /* smaller: iterates down to here while a step still gains a factor of ten */
	int max_iterations;
	double delta;   /* regularisation of the laws; 1e-7 */
	double rho;     /* regularisation of the collision unknowns, while the residual is above a tenth of it; 1e-9 */
	int halvings;   /* largest number of halvings of a step that does not reduce the residual */
	int patience;   /* stops if this many iterations have not halved the residual; 0: never */
	double growth;  /* stops if the residual exceeds this factor times the first one, and 1; 0: never */
	bool even;      /* friction keeps the full regularisation near the solution, too */
	bool from_path; /* the iterate, including s, is a point of the path; the first step follows the path to kappa =
	                   0 */
} AbutExactOptions;

/* Runs the semismooth Newton method on [r; z - P_K(z - C H)] from y and z of the iterate. If it does not converge, y
 * and z are set to the point of least residual. */
void abut_solve_exact(const AbutNcp *ncp, const AbutExactOptions *options, AbutIterate *iterate,
                      AbutSolveReport *report);
