/* Solves sparse systems of 6 x 6 blocks, with one block row per body and two right-hand sides, by block LU in the order
 * of a pattern. There is no pivoting inside a block row. Blocks are not inverted by 3 x 3 adjugates, which are too
 * inaccurate (docs/formulation.md 7).
 *
 * A block is stored as 6 rows of 8 doubles, so that every update is a loop over eight. The first 6 are the columns. In
 * the diagonal blocks, the last two are the right-hand sides; in other blocks, they are unused and stay zero. */
#pragma once

#include <stdbool.h>

#include "solver/blocks/pattern.h"

enum { ABUT_BLOCK_ROW = 8, ABUT_BLOCK_SIZE = 6 * ABUT_BLOCK_ROW };

/* A view of a pattern and of memory, both owned by the caller. A pattern serves any number of systems, and a block
 * memory any number of patterns. */
typedef struct AbutBlockSystem {
	const AbutBlockPattern *pattern;
	double *blocks; /* (pattern->n_blocks x ABUT_BLOCK_SIZE), 64-byte aligned for speed */
} AbutBlockSystem;

/* Memory for blocks, which grows with the systems it serves; scratch of one thread. Must be zero at first. */
typedef struct AbutBlockMemory {
	double *blocks; /* 64-byte aligned */
	int capacity;
	void *memory;
} AbutBlockMemory;

/* Makes room for n_blocks. Growing loses the values, and adds at least half of the capacity. */
AbutStatus abut_block_memory_room(AbutBlockMemory *memory, int n_blocks);
void abut_block_memory_destroy(AbutBlockMemory *memory);

void abut_block_system_clear(const AbutBlockSystem *system);

/* Returns a block by its index. */
static inline double *abut_block_at(const AbutBlockSystem *system, int block)
{
	return &system->blocks[(long)block * ABUT_BLOCK_SIZE];
}

/* Returns the block in the rows of `row` and the columns of `column` (bodies); the pattern must contain it. */
static inline double *abut_block(const AbutBlockSystem *system, int row, int column)
{
	const AbutBlockPattern *pattern = system->pattern;
	const int block = row == column ? abut_block_diagonal(pattern, pattern->position_of[row])
	                                : abut_block_pattern_find(pattern, row, column);
	return abut_block_at(system, block);
}

/* Factorises and solves in place. The right-hand sides in the diagonal blocks become the solution; all other columns
 * and blocks become the factors. Returns false if a pivot is zero or not finite. */
bool abut_block_system_solve(const AbutBlockSystem *system);
