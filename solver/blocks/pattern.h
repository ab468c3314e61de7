/* Finds the pattern of a block system over a graph of bodies: its nonzero blocks and the order of elimination. A
 * pattern depends only on the graph, not on the order of its pairs, and can serve many systems.
 *
 * Bodies are eliminated in positions 0 to n - 1. Row k lists the later positions to which the body at k is coupled when
 * it is eliminated, by a pair or by fill. The blocks are stored row by row: the diagonal block, then for each entry e
 * of the row the blocks (k, next[e]) and (next[e], k). */
#pragma once

#include <stddef.h>

#include "abut/status.h"

typedef struct AbutIntegers {
	int *at;
	size_t capacity;
} AbutIntegers;

/* Must be set to zero at first, which is a pattern of no bodies. */
typedef struct AbutBlockPattern {
	int n;            /* number of bodies */
	int n_blocks;     /* n, plus two for each entry */
	int *position_of; /* (n) position of a body in the order of elimination */
	int *body_at;     /* (n) inverse of position_of */
	int *first;       /* (n + 1) row k has entries first[k] to first[k + 1] - 1 */
	int *next;        /* (first[n]) positions, ascending in each row */
	AbutIntegers of_bodies, of_entries, scratch;
} AbutBlockPattern;

void abut_block_pattern_destroy(AbutBlockPattern *pattern);

/* Reserves memory, so that analyses up to this size allocate nothing. Clears the pattern. */
AbutStatus abut_block_pattern_reserve(AbutBlockPattern *pattern, int n, int n_pairs, int n_blocks);

/* Orders n bodies for little fill and finds their blocks. A pair couples two bodies. Duplicates are allowed; pairs with
 * a negative or a repeated entry are ignored. Allocates only if the pattern is larger than what is reserved, and then
 * at least half more. After ABUT_ERROR_MEMORY the pattern has no bodies. */
AbutStatus abut_block_pattern_analyse(AbutBlockPattern *pattern, int n, int n_pairs, const int (*pairs)[2]);

/* Returns the index of the block in the rows of one body and the columns of another, or -1 if it stays zero. */
int abut_block_pattern_find(const AbutBlockPattern *pattern, int row_body, int column_body);

/* Returns the index of the block (k, k) of position k. */
static inline int abut_block_diagonal(const AbutBlockPattern *pattern, int k)
{
	return k + 2 * pattern->first[k];
}

/* Returns the index of the block (k, next[e]) of entry e in row k; the block (next[e], k) follows it. */
static inline int abut_block_entry(int k, int e)
{
	return k + 1 + 2 * e;
}
