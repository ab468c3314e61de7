/* L L' = A_CC for a growing and shrinking list C of indices into a symmetric positive semidefinite A: O(m^2) for an
 * index that comes or goes. Only indices that keep A_CC well away from singular are to be let in; what tells is the
 * Schur complement, A_ii - A_iC A_CC^-1 A_Ci. Zeros that a row of L begins with are passed over, as of bodies in a
 * stack that are not neighbours. Tested in tests/solver/test_clamped_factor.c. */
#ifndef SOLVER_LCP_CLAMPED_FACTOR_H
#define SOLVER_LCP_CLAMPED_FACTOR_H

#include "base/arena.h"

typedef struct AbutClampedFactor {
	int n;           /* of A */
	const double *A; /* (n x n) row-major */
	int m;           /* clamped */
	int *index;      /* (m) in the order in which they came */
	double *L;       /* (m x m) lower, rows n apart */
	int *first;      /* (m) entries of a row of L before this one are zero */
	double *row;     /* (n) scratch: the row that would come next */
	int row_first;
} AbutClampedFactor;

/* Arrays for up to n indices out of the arena. */
void abut_clamped_factor_carve(AbutClampedFactor *factor, int n, AbutArena *arena);
void abut_clamped_factor_begin(AbutClampedFactor *factor, int n, const double *A);

/* The Schur complement of index i, which is not clamped; its row is kept for abut_clamped_factor_append. */
double abut_clamped_factor_schur(AbutClampedFactor *factor, int i);
/* Clamps the index whose Schur complement, which is positive, was asked for last. */
void abut_clamped_factor_append(AbutClampedFactor *factor, int i, double schur);
/* Frees the index in place k of the list. */
void abut_clamped_factor_remove(AbutClampedFactor *factor, int k);

/* x (m) = A_CC^-1 x, in the order of the list. */
void abut_clamped_factor_solve(const AbutClampedFactor *factor, double *x);
/* The second half of that alone, x = L'^-1 x: after abut_clamped_factor_schur(i), from a copy of `row` it makes
 * A_CC^-1 A_Ci. */
void abut_clamped_factor_back(const AbutClampedFactor *factor, double *x);

#endif
