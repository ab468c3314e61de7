/* Defines a nonlinear complementarity problem as the solver sees it:
 *
 *     find y, z:   r(y, z) = 0,    s = H(y, z),    z, s in K,    z o s = kappa e  (kappa >= 0)
 *
 * y (n_y) are free unknowns, z (n_z) duals, and s (n_z) slacks. K is a product of cones, o the Jordan product and e its
 * identity (solver/cones/cones.h). The solver knows only cones and vectors. The problem provides functions, which share
 * the state `problem`. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "abut/status.h"
#include "base/stop.h"
#include "solver/cones/cones.h"
#include "solver/ncp/active_set.h"

typedef struct AbutNcpOps {
	/* Computes r (n_y) and H (n_z) at (y, z). */
	void (*evaluate)(void *problem, const double *y, const double *z, double *r, double *H);
	/* Eliminates the local unknowns with the given law, and factorises the rest. r, and the point, are those of the
	 * last evaluate. Returns false if a pivot is zero or not finite. */
	bool (*condense)(void *problem, const double *r, const AbutConeLaw *law);
	/* Computes the Newton direction for lane 0 + weight * lane 1: dy (n_y), dz (n_z) and dH (n_z), the first-order
	 * change of H. */
	void (*recover)(void *problem, const AbutConeLaw *law, double weight, double *dy, double *dz, double *dH);
	/* Computes the dense Jacobian of [r; H] with respect to [y; z] at the point of the last evaluate (column-major,
	 * n_y + n_z rows). The rows of r include rho where condense includes it. This is the reference for the
	 * condensed solver. */
	void (*jacobian)(void *problem, double rho, double *J);
	/* Returns the largest step in (0, limit] along dy that stays in the problem's own domain: rotations must be
	 * smaller than half a revolution. */
	double (*step_limit)(void *problem, const double *y, const double *dy, double limit);
	/* Sets those unknowns y that are heads of the slacks s. NULL if there are none. The solver itself does not call
	 * this function. */
	void (*heads)(void *problem, const double *s, double *y);
} AbutNcpOps;

typedef struct AbutNcp {
	void *problem;
	const AbutNcpOps *ops;
	int n_y, n_z;
	const AbutCone *cones;
	int n_cones;
	double caution;    /* share of the residual that is used as regularisation rho, for H whose curvature may vanish
	                      during the iteration; 0: none */
	AbutStopper *stop; /* ends the iteration early; NULL: never */
} AbutNcp;

/* The vectors of an iteration in one block of memory: the iterate y, z, s, and scratch. */
typedef struct AbutIterate {
	double *y, *z, *s;         /* (n_y) (n_z) (n_z) */
	double *r, *H;             /* (n_y) (n_z) values at the iterate */
	double *dy, *dz, *ds, *dH; /* direction */
	double *y_base, *z_base;   /* start of a line search; best point of the semismooth Newton method */
	double *y_best, *z_best;
	AbutConeLaw law;
	AbutActiveSet set;
	double *dense; /* NULL unless the dense solver is used (dense.h) */
	int *pivots;
	void *memory;
} AbutIterate;

/* Returns the number of doubles in AbutIterate.dense, which holds the matrix, both right-hand sides and the Jacobian.
 */
static inline size_t abut_dense_size(int n_y, int n_z)
{
	const size_t n = (size_t)n_y + (size_t)n_z;
	return 2 * n * n + 2 * n;
}

/* Allocates an iterate. The sizes are upper limits: it serves any problem that does not exceed them. */
AbutStatus abut_iterate_create(int n_y, int n_z, int law_size, bool dense, AbutIterate *out);
void abut_iterate_destroy(AbutIterate *iterate);
