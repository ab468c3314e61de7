/* Solves the equations of experiments/reference/extended_island.h by Newton's method, dense and in extended precision.
 */
#pragma once

#include "experiments/reference/extended_island.h"

typedef struct AbutExtendedSolver {
	int n;
	long double *A; /* (n x n) row-major: the factors of dF/du */
	long double *scale;
	int *order;
	AbutComplex *F, *u; /* (n) */
	long double *lane;  /* (n) */
} AbutExtendedSolver;

AbutStatus abut_extended_solver_create(int n, AbutExtendedSolver *out); /* ABUT_ERROR_MEMORY */
void abut_extended_solver_free(AbutExtendedSolver *solver);

typedef enum AbutExtendedEnd {
	ABUT_EXTENDED_SOLVED,
	ABUT_EXTENDED_SINGULAR,  /* the equations do not determine the step */
	ABUT_EXTENDED_UNSETTLED, /* not converged to the required accuracy */
} AbutExtendedEnd;

/* Refines `base` of the island to the solution and keeps the factors. `change` sums the largest velocity changes of the
 * iterations. */
AbutExtendedEnd abut_extended_refine(AbutExtendedSolver *solver, AbutExtendedIsland *island, long double *change);
/* Solves the equations after an imaginary change of size h of the island's start. solver->u is the solution, and
 * `error` bounds the error of its imaginary parts divided by h. */
AbutExtendedEnd abut_extended_follow(AbutExtendedSolver *solver, AbutExtendedIsland *island, long double h,
                                     long double *error);
