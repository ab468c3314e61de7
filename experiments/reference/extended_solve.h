/* Newton's method on the equations of experiments/reference/extended_island.h, in extended precision, dense. */
#ifndef EXPERIMENTS_REFERENCE_EXTENDED_SOLVE_H
#define EXPERIMENTS_REFERENCE_EXTENDED_SOLVE_H

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
	ABUT_EXTENDED_SINGULAR,  /* the conditions do not determine the step */
	ABUT_EXTENDED_UNSETTLED, /* it does not converge to working precision */
} AbutExtendedEnd;

/* Refines the base of the island to the solution and keeps the factors. `change` is the total change of a velocity. */
AbutExtendedEnd abut_extended_refine(AbutExtendedSolver *solver, AbutExtendedIsland *island, long double *change);
/* Solves with the start of the island changed by an imaginary part h: solver->u is the solution, and `error` bounds the
 * error of its imaginary parts over h. */
AbutExtendedEnd abut_extended_follow(AbutExtendedSolver *solver, AbutExtendedIsland *island, long double h,
                                     long double *error);

#endif
