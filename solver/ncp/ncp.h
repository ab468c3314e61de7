/* A nonlinear complementarity problem as the solver sees it:
 *
 *     find y, z:   r(y, z) = 0,    s = H(y, z),    z, s in K,    z o s = kappa e  (kappa >= 0)
 *
 * y (n_y) are free unknowns, z (n_z) duals, s slacks. The solver knows cones and vectors; what the problem is about is
 * behind its functions, which share one state `problem`. */
#ifndef SOLVER_NCP_NCP_H
#define SOLVER_NCP_NCP_H

#include <stdbool.h>
#include <stddef.h>

#include "abut/status.h"
#include "solver/cones/cones.h"
#include "solver/ncp/active_set.h"

typedef struct AbutNcpOps {
	/* r (n_y) and H (n_z) at (y, z). */
	void (*evaluate)(void *problem, const double *y, const double *z, double *r, double *H);
	/* Eliminates everything local at the point of the last evaluate, with the given law, and factorises what is
	 * left. r is that of the last evaluate. False when a pivot vanishes or is not finite. */
	bool (*condense)(void *problem, const double *r, const AbutConeLaw *law);
	/* The Newton direction for lanes 0 + weight * 1: dy (n_y), dz (n_z), and dH (n_z), the change of H to first
	 * order. */
	void (*recover)(void *problem, const AbutConeLaw *law, double weight, double *dy, double *dz, double *dH);
	/* The dense Jacobian of [r; H] with respect to [y; z] at the point of the last evaluate, column-major
	 * (n_y + n_z)^2, rho included in the rows of r where condense includes it: the oracle of the condensed path. */
	void (*jacobian)(void *problem, double rho, double *J);
	/* Largest step in (0, limit] along dy that keeps the problem's own domain (a turn below half a revolution). */
	double (*step_limit)(void *problem, const double *y, const double *dy, double limit);
	/* Sets the free unknowns y that are heads of the slacks s. NULL: there are none; the solver does not call it.
	 */
	void (*heads)(void *problem, const double *s, double *y);
} AbutNcpOps;

typedef struct AbutNcp {
	void *problem;
	const AbutNcpOps *ops;
	int n_y, n_z;
	const AbutCone *cones;
	int n_cones;
	double caution; /* share of the residual that regularises (rho), for H with a curvature that may vanish on the
	                   way; 0: none */
} AbutNcp;

/* The vectors of an iteration. y, z, s are the iterate; the rest is scratch. One block of memory. */
typedef struct AbutIterate {
	double *y, *z, *s;         /* (n_y) (n_z) (n_z) */
	double *r, *H;             /* (n_y) (n_z) values at the iterate */
	double *dy, *dz, *ds, *dH; /* the direction */
	double *y_base, *z_base;   /* where a line search started from, best point of a finish */
	double *y_best, *z_best;
	AbutConeLaw law;
	AbutActiveSet set;
	double *dense; /* NULL unless the dense linear solver was asked for: see dense.h */
	int *pivots;
	void *memory;
} AbutIterate;

/* Returns the number of doubles in AbutIterate.dense: matrix, right-hand sides of both lanes, Jacobian. */
static inline size_t abut_dense_size(int n_y, int n_z)
{
	const size_t n = (size_t)n_y + (size_t)n_z;
	return 2 * n * n + 2 * n;
}

/* Sizes are capacities: any problem up to them may use the iterate. */
AbutStatus abut_iterate_create(int n_y, int n_z, int law_size, bool dense, AbutIterate *out);
void abut_iterate_destroy(AbutIterate *iterate);

#endif
