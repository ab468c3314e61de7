/* Where the nonzero blocks of a system over a graph of bodies stand, and the order in which the bodies are eliminated:
 * what a factorisation needs to know before it sees a number. It depends on the graph alone, not on how its pairs are
 * listed, and is made once for many systems.
 *
 * Bodies are eliminated in positions 0 to n - 1. Row k lists the later positions that the body at k is coupled to when
 * its turn comes, by a pair or by fill. Its blocks lie together, row after row: the diagonal one, then for each entry e
 * of the row the blocks (k, next[e]) and (next[e], k). */
#ifndef SOLVER_BLOCKS_PATTERN_H
#define SOLVER_BLOCKS_PATTERN_H

#include <stddef.h>

#include "abut/status.h"

typedef struct AbutIntegers {
	int *at;
	size_t capacity;
} AbutIntegers;

/* Begins as zeros: a pattern of no bodies. */
typedef struct AbutBlockPattern {
	int n;            /* bodies */
	int n_blocks;     /* n, and two for each entry */
	int *position_of; /* (n) place of a body in the order of elimination */
	int *body_at;     /* (n) its inverse */
	int *first;       /* (n + 1) row k has the entries first[k] to first[k + 1] - 1 */
	int *next;        /* (first[n]) their positions, ascending in each row */
	AbutIntegers of_bodies, of_entries, scratch;
} AbutBlockPattern;

void abut_block_pattern_destroy(AbutBlockPattern *pattern);

/* Makes room, so that analyses up to this size allocate nothing. Forgets what was analysed. */
AbutStatus abut_block_pattern_reserve(AbutBlockPattern *pattern, int n, int n_pairs, int n_blocks);

/* Orders n bodies for little fill and finds their blocks. A pair couples two bodies; it may come several times, and
 * couples nothing with a negative entry or with both the same. Allocates only when the pattern is larger than any that
 * was reserved or analysed before, and then half as much again. On ABUT_ERROR_MEMORY it is a pattern of no bodies. */
AbutStatus abut_block_pattern_analyse(AbutBlockPattern *pattern, int n, int n_pairs, const int (*pairs)[2]);

/* The index of the block in the rows of one body and the columns of another; -1 where all stays zero. */
int abut_block_pattern_find(const AbutBlockPattern *pattern, int row_body, int column_body);

/* The block (k, k) of position k. */
static inline int abut_block_diagonal(const AbutBlockPattern *pattern, int k)
{
	return k + 2 * pattern->first[k];
}

/* The block (k, next[e]) of entry e in row k; that of (next[e], k) follows it. */
static inline int abut_block_entry(int k, int e)
{
	return k + 1 + 2 * e;
}

#endif
