/* Maintains the factorisation L L' = A_CC for a list C of indices that changes, with a symmetric positive semidefinite
 * A. Each change takes O(m^2) operations. Only indices that keep A_CC well away from singular may enter; the measure is
 * the Schur complement A_ii - A_iC A_CC^-1 A_Ci. Leading zeros of a row of L are skipped; they occur, for example,
 * between bodies of a stack that are not neighbours. Tested in tests/solver/test_clamped_factor.c. */
#pragma once

#include "base/arena.h"

typedef struct AbutClampedFactor {
	int n;           /* size of A */
	const double *A; /* (n x n) row-major */
	int m;           /* number of clamped indices */
	int *index;      /* (m) in their order of entry */
	double *L;       /* (m x m) lower triangle; consecutive rows are n apart */
	int *first;      /* (m) column of the first nonzero entry of each row of L */
	double *row;     /* (n) scratch: the next row */
	int row_first;
} AbutClampedFactor;

/* Takes the arrays for up to n indices from the arena. */
void abut_clamped_factor_carve(AbutClampedFactor *factor, int n, AbutArena *arena);
void abut_clamped_factor_begin(AbutClampedFactor *factor, int n, const double *A);

/* Returns the Schur complement of index i, which must not be clamped. Keeps its row for abut_clamped_factor_append. */
double abut_clamped_factor_schur(AbutClampedFactor *factor, int i);
/* Clamps the index of the last abut_clamped_factor_schur, whose result must be positive. */
void abut_clamped_factor_append(AbutClampedFactor *factor, int i, double schur);
/* Removes the index at place k of the list. */
void abut_clamped_factor_remove(AbutClampedFactor *factor, int k);

/* Replaces x (m) by A_CC^-1 x, in the order of the list. */
void abut_clamped_factor_solve(const AbutClampedFactor *factor, double *x);
/* Computes only the second half of the solution, x = L'^-1 x. Applied to a copy of `row` after
 * abut_clamped_factor_schur(i), this gives A_CC^-1 A_Ci. */
void abut_clamped_factor_back(const AbutClampedFactor *factor, double *x);
