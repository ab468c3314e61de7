/* Sparse systems of 6 x 6 blocks, one block row per body, with two right-hand sides: block LU over the graph of pairs,
 * in a fill-reducing order, without pivoting inside a block row (docs/formulation.md 7: never by 3 x 3 adjugates).
 *
 * A block is 6 rows of 8 doubles, so that every update is a loop over eight: 6 columns, and in the diagonal blocks the
 * two right-hand sides (columns 6 and 7 of the others are unused). */
#ifndef SOLVER_BLOCK_SYSTEM_H
#define SOLVER_BLOCK_SYSTEM_H

#include <stdbool.h>

#include "abut/status.h"

enum { ABUT_BLOCK_ROW = 8, ABUT_BLOCK_SIZE = 6 * ABUT_BLOCK_ROW };

typedef struct AbutBlockSystem {
	int n;            /* bodies */
	int *position_of; /* (n) place of a body in the elimination order */
	int *body_at;     /* (n) its inverse */
	int *block_of;    /* (n x n) by positions: index of the block, -1 where it stays zero */
	int *next;        /* (n x n) row k: the positions after k that it is coupled to */
	int *n_next;      /* (n) their number */
	int *degree;      /* (n) scratch of the analysis */
	int n_blocks;
	double *blocks; /* (n_blocks x ABUT_BLOCK_SIZE), 64-byte aligned */
	void *memory;
} AbutBlockSystem;

AbutStatus abut_block_system_create(int n, AbutBlockSystem *out);
void abut_block_system_destroy(AbutBlockSystem *system);

/* A system of n bodies in the memory of a larger one, after the first `bodies` bodies and `squares` entries of its n x
 * n tables; it is not destroyed. */
void abut_block_system_piece(const AbutBlockSystem *whole, int bodies, long squares, int n, AbutBlockSystem *out);

/* Orders the bodies (greedy minimum degree) and finds the fill for the given pairs of bodies; a pair with a negative
 * entry couples nothing. */
void abut_block_system_analyse(AbutBlockSystem *system, int n_pairs, const int (*pairs)[2]);

void abut_block_system_clear(AbutBlockSystem *system);

/* The block in the rows of `row` and the columns of `column` (bodies), which the analysed pattern holds. */
static inline double *abut_block(const AbutBlockSystem *system, int row, int column)
{
	const int i = system->position_of[row], j = system->position_of[column];
	return &system->blocks[(long)system->block_of[i * system->n + j] * ABUT_BLOCK_SIZE];
}

/* Factorises and solves in place: afterwards the right-hand side columns of each diagonal block hold the solution.
 * False when a pivot is zero or not finite. */
bool abut_block_system_solve(AbutBlockSystem *system);

#endif
