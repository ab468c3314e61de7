/* A pattern's memory, and where a block is. */
#include "solver/blocks/pattern.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "solver/blocks/pattern_parts.h"

AbutStatus abut_integers_room(AbutIntegers *integers, size_t count)
{
	if (count <= integers->capacity) {
		return ABUT_OK;
	}
	const size_t half_more = integers->capacity + integers->capacity / 2;
	const size_t capacity = count > half_more ? count : half_more;
	free(integers->at);
	integers->at = malloc(capacity * sizeof *integers->at);
	integers->capacity = integers->at ? capacity : 0;
	return integers->at ? ABUT_OK : ABUT_ERROR_MEMORY;
}

static AbutStatus bodies_room(AbutBlockPattern *pattern, int n)
{
	const size_t size = (size_t)n;
	const AbutStatus status = abut_integers_room(&pattern->of_bodies, 3 * size + 1);
	if (status == ABUT_OK) {
		pattern->position_of = pattern->of_bodies.at;
		pattern->body_at = pattern->position_of + size;
		pattern->first = pattern->body_at + size;
	}
	return status;
}

AbutStatus abut_block_pattern_entries_room(AbutBlockPattern *pattern, size_t count)
{
	if (count > ((size_t)INT_MAX - (size_t)pattern->n) / 2) { /* blocks are counted by an int */
		return ABUT_ERROR_MEMORY;
	}
	const AbutStatus status = abut_integers_room(&pattern->of_entries, count);
	pattern->next = pattern->of_entries.at;
	return status;
}

static void forget(AbutBlockPattern *pattern)
{
	pattern->n = pattern->n_blocks = 0;
}

void abut_block_pattern_destroy(AbutBlockPattern *pattern)
{
	free(pattern->of_bodies.at);
	free(pattern->of_entries.at);
	free(pattern->scratch.at);
	memset(pattern, 0, sizeof *pattern);
}

AbutStatus abut_block_pattern_reserve(AbutBlockPattern *pattern, int n, int n_pairs, int n_blocks)
{
	forget(pattern);
	AbutStatus status = bodies_room(pattern, n);
	if (status == ABUT_OK) {
		status = abut_block_pattern_entries_room(pattern, (size_t)n_blocks / 2);
	}
	if (status == ABUT_OK && n > ABUT_PATTERN_SMALL) {
		status = abut_integers_room(&pattern->scratch, abut_block_pattern_large_scratch(n, n_pairs));
	}
	return status;
}

AbutStatus abut_block_pattern_analyse(AbutBlockPattern *pattern, int n, int n_pairs, const int (*pairs)[2])
{
	AbutStatus status = bodies_room(pattern, n);
	pattern->n = n;
	if (status == ABUT_OK) {
		status = n <= ABUT_PATTERN_SMALL ? abut_block_pattern_small(pattern, n_pairs, pairs)
		                                 : abut_block_pattern_large(pattern, n_pairs, pairs);
	}
	if (status != ABUT_OK) {
		forget(pattern);
		return status;
	}
	pattern->n_blocks = n + 2 * pattern->first[n];
	return ABUT_OK;
}

int abut_block_pattern_find(const AbutBlockPattern *pattern, int row_body, int column_body)
{
	const int i = pattern->position_of[row_body], j = pattern->position_of[column_body];
	if (i == j) {
		return abut_block_diagonal(pattern, i);
	}
	const int row = i < j ? i : j, other = i < j ? j : i;
	int low = pattern->first[row], high = pattern->first[row + 1];
	while (low < high) {
		const int middle = low + (high - low) / 2;
		if (pattern->next[middle] < other) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	if (low == pattern->first[row + 1] || pattern->next[low] != other) {
		return -1;
	}
	return abut_block_entry(row, low) + (i > j);
}
