/* Factorises and solves a block system over a pattern by block LU. */
#include "solver/blocks/system.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clones.h"

AbutStatus abut_block_memory_room(AbutBlockMemory *memory, int n_blocks)
{
	if (n_blocks <= memory->capacity) {
		return ABUT_OK;
	}
	const int half_more = memory->capacity <= INT_MAX / 3 * 2 ? memory->capacity + memory->capacity / 2 : INT_MAX;
	const int capacity = n_blocks > half_more ? n_blocks : half_more;
	abut_block_memory_destroy(memory);
	memory->memory = malloc(64 + (size_t)capacity * ABUT_BLOCK_SIZE * sizeof(double));
	if (!memory->memory) {
		return ABUT_ERROR_MEMORY;
	}
	char *bytes = memory->memory;
	memory->blocks = (double *)(void *)(bytes + (64 - (size_t)bytes % 64) % 64);
	memory->capacity = capacity;
	return ABUT_OK;
}

void abut_block_memory_destroy(AbutBlockMemory *memory)
{
	free(memory->memory);
	memset(memory, 0, sizeof *memory);
}

void abut_block_system_clear(const AbutBlockSystem *system)
{
	if (system->pattern->n_blocks > 0) {
		memset(system->blocks, 0, (size_t)system->pattern->n_blocks * ABUT_BLOCK_SIZE * sizeof(double));
	}
}

ALWAYS_INLINE double *diagonal(const AbutBlockSystem *system, int k)
{
	return abut_block_at(system, abut_block_diagonal(system->pattern, k));
}

/* Returns the block (k, next[e]) of entry e in row k; the block (next[e], k) follows it. */
ALWAYS_INLINE double *upper(const AbutBlockSystem *system, int k, int e)
{
	return abut_block_at(system, abut_block_entry(k, e));
}

ALWAYS_INLINE double *lower(const AbutBlockSystem *system, int k, int e)
{
	return upper(system, k, e) + ABUT_BLOCK_SIZE;
}

/* Subtracts factor source from target: one row of eight. */
ALWAYS_INLINE void subtract_row(double *restrict target, double factor, const double *restrict source)
{
	for (int c = 0; c < ABUT_BLOCK_ROW; c++) {
		target[c] -= factor * source[c];
	}
}

/* Eliminates the diagonal block D by Gauss-Jordan steps without pivoting. D's columns become the unit matrix; its
 * right-hand sides are multiplied by D^-1. For each pivot, `steps` records the factors by which it is subtracted from
 * the other rows and, on the diagonal, its inverse. Returns false if a pivot is zero or not finite. */
ALWAYS_INLINE bool gauss_jordan(double *restrict D, double steps[6][6])
{
	for (int p = 0; p < 6; p++) {
		double *pivot = &D[p * ABUT_BLOCK_ROW];
		const double inverse = 1.0 / pivot[p];
		if (!isfinite(inverse)) {
			return false;
		}
		for (int c = 0; c < ABUT_BLOCK_ROW; c++) {
			pivot[c] *= inverse;
		}
		for (int r = 0; r < 6; r++) {
			steps[p][r] = r == p ? inverse : D[r * ABUT_BLOCK_ROW + p];
			if (r != p) {
				subtract_row(&D[r * ABUT_BLOCK_ROW], steps[p][r], pivot);
			}
		}
	}
	return true;
}

/* Replaces M by D^-1 M. */
ALWAYS_INLINE void apply_steps(const double steps[6][6], double *restrict M)
{
	for (int p = 0; p < 6; p++) {
		double *pivot = &M[p * ABUT_BLOCK_ROW];
		for (int c = 0; c < ABUT_BLOCK_ROW; c++) {
			pivot[c] *= steps[p][p];
		}
		for (int r = 0; r < 6; r++) {
			if (r != p) {
				subtract_row(&M[r * ABUT_BLOCK_ROW], steps[p][r], pivot);
			}
		}
	}
}

/* Multiplies the diagonal block's right-hand sides and its row of blocks by D^-1. The diagonal block's columns, which
 * would become the unit matrix, store the steps. */
ALWAYS_INLINE bool eliminate_row(const AbutBlockSystem *system, int k)
{
	const int *first = system->pattern->first;
	double steps[6][6], *D = diagonal(system, k);
	if (!gauss_jordan(D, steps)) {
		return false;
	}
	for (int p = 0; p < 6; p++) {
		for (int r = 0; r < 6; r++) {
			D[p * ABUT_BLOCK_ROW + r] = steps[p][r];
		}
	}
	for (int e = first[k]; e < first[k + 1]; e++) {
		apply_steps(steps, upper(system, k, e));
	}
	return true;
}

/* Subtracts left right from target, using the six columns of `left`. Each row is one expression, which every clone
 * keeps in registers. */
ALWAYS_INLINE void subtract_product(double *restrict target, const double *restrict left, const double *restrict right)
{
	for (int r = 0; r < 6; r++) {
		double *t = &target[r * ABUT_BLOCK_ROW];
		const double *l = &left[r * ABUT_BLOCK_ROW];
		const double l0 = l[0], l1 = l[1], l2 = l[2], l3 = l[3], l4 = l[4], l5 = l[5];
		for (int c = 0; c < ABUT_BLOCK_ROW; c++) {
			const double *column = &right[c];
			t[c] = t[c] - l0 * column[0] - l1 * column[ABUT_BLOCK_ROW] - l2 * column[2 * ABUT_BLOCK_ROW] -
			       l3 * column[3 * ABUT_BLOCK_ROW] - l4 * column[4 * ABUT_BLOCK_ROW] -
			       l5 * column[5 * ABUT_BLOCK_ROW];
		}
	}
}

/* Subtracts left right from target in the right-hand sides: the last two columns of the diagonal blocks. */
ALWAYS_INLINE void subtract_rhs(double *restrict target, const double *restrict left, const double *restrict right)
{
	for (int r = 0; r < 6; r++) {
		for (int q = 0; q < 6; q++) {
			target[r * ABUT_BLOCK_ROW + 6] -= left[r * ABUT_BLOCK_ROW + q] * right[q * ABUT_BLOCK_ROW + 6];
			target[r * ABUT_BLOCK_ROW + 7] -= left[r * ABUT_BLOCK_ROW + q] * right[q * ABUT_BLOCK_ROW + 7];
		}
	}
}

enum {
	SUPERNODE_MAX = 8, /* rows whose blocks fit the second-level cache */
	TILE = 8           /* blocks of a row, each with its counterpart below, that fit the first-level cache */
};

/* Subtracts from row i its multiples of the eliminated rows k to end - 1. These rows form a supernode: each row
 * contains the position of the next one and all of its entries. i is entry `place` of row k, place - 1 of row k + 1,
 * and so on. Working in tiles loads the targets once for all rows, which is twice as fast with 3000 bodies. Each sum is
 * the same as row by row. */
ALWAYS_INLINE void update_row(const AbutBlockSystem *system, int k, int end, int place)
{
	const int *first = system->pattern->first, *next = system->pattern->next;
	const int *list = &next[first[k]], n_list = first[k + 1] - first[k];
	const int i = list[place];
	for (int q = k; q < end; q++) {
		const int e = first[q] + place - (q - k);
		const double *left = lower(system, q, e);
		subtract_rhs(diagonal(system, i), left, diagonal(system, q));
		subtract_product(diagonal(system, i), left, upper(system, q, e)); /* its last columns are zero */
	}
	int at = first[i];
	for (int from = place + 1; from < n_list; from += TILE) {
		const int n_tile = n_list - from < TILE ? n_list - from : TILE;
		int target[TILE];
		for (int b = 0; b < n_tile; b++) {
			while (next[at] != list[from + b]) { /* all positions left in the list are in row i too */
				at++;
			}
			target[b] = at++;
		}
		for (int q = k; q < end; q++) {
			const int e = first[q] + place - (q - k), source = first[q] + from - (q - k);
			for (int b = 0; b < n_tile; b++) {
				subtract_product(upper(system, i, target[b]), lower(system, q, e),
				                 upper(system, q, source + b));
				subtract_product(lower(system, i, target[b]), lower(system, q, source + b),
				                 upper(system, q, e));
			}
		}
	}
}

/* Returns the end of the supernode that begins at k. */
ALWAYS_INLINE int supernode_end(const AbutBlockPattern *pattern, int k)
{
	const int *first = pattern->first;
	int end = k + 1;
	while (end < pattern->n && end - k < SUPERNODE_MAX && first[end] > first[end - 1] &&
	       pattern->next[first[end - 1]] == end && first[end + 1] - first[end] == first[end] - first[end - 1] - 1) {
		end++;
	}
	return end;
}

ABUT_CLONES bool abut_block_system_solve(const AbutBlockSystem *system)
{
	const int n = system->pattern->n;
	const int *first = system->pattern->first, *next = system->pattern->next;
	for (int k = 0; k < n;) {
		const int end = supernode_end(system->pattern, k);
		for (int i = k; i < end; i++) {
			if (i > k) {
				update_row(system, k, i, i - k - 1);
			}
			if (!eliminate_row(system, i)) {
				return false;
			}
		}
		for (int place = end - k - 1; place < first[k + 1] - first[k]; place++) {
			update_row(system, k, end, place);
		}
		k = end;
	}
	for (int k = n - 1; k >= 0; k--) {
		for (int e = first[k]; e < first[k + 1]; e++) {
			subtract_rhs(diagonal(system, k), upper(system, k, e), diagonal(system, next[e]));
		}
	}
	return true;
}
