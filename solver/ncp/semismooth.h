/* The semismooth Newton method to the exact solution. */
#ifndef SOLVER_NCP_SEMISMOOTH_H
#define SOLVER_NCP_SEMISMOOTH_H

#include "solver/ncp/newton_parts.h"

typedef struct AbutExactOptions {
	double tolerance; /* natural residual below which a point counts as exact */
	double goal;      /* smaller: iterate down to here while a step still gains a factor of ten */
	int max_iterations;
	double delta;   /* regularisation of the laws; 1e-7 */
	double rho;     /* regularisation of the collision unknowns; 1e-9 */
	int halvings;   /* most halvings of a step that does not reduce the residual */
	int patience;   /* stop if so many iterations have not halved the residual; 0: never */
	double growth;  /* stop if the residual is this many times the first one, and above 1; 0: never */
	bool even;      /* friction keeps the full regularisation, also near the solution */
	bool from_path; /* the iterate, s included, is a point of the path: the first step follows the path to kappa = 0
	                 */
} AbutExactOptions;

/* Runs the semismooth Newton on [r; z - P_K(z - C H)] from the iterate's y, z. If it does not converge, y and z are
 * left at the point of least residual. */
void abut_solve_exact(const AbutNcp *ncp, const AbutExactOptions *options, AbutIterate *iterate,
                      AbutSolveReport *report);

#endif
