/* The pattern of few bodies: sets of them are words, so that a stack is analysed in less time than a library takes to
 * begin. The order is greedy minimum degree, by eliminating on the graph itself; of equals the first goes first. */
#include <stdint.h>
#include <string.h>

#include "base/clones.h"
#include "solver/blocks/pattern_parts.h"

typedef uint64_t Set;

static inline Set only(int i)
{
	return (Set)1 << i;
}

/* Takes the first member out of the set. */
static inline int take_first(Set *set)
{
	const int i = __builtin_ctzll(*set);
	*set &= *set - 1;
	return i;
}

/* The order of elimination, and for each position the bodies coupled to it when its turn comes; returns their number.
 */
ABUT_CLONES static size_t eliminate(AbutBlockPattern *pattern, Set *neighbours, Set *coupled)
{
	const int n = pattern->n;
	int degree[ABUT_PATTERN_SMALL];
	Set left = 0;
	size_t count = 0;
	for (int i = 0; i < n; i++) {
		degree[i] = __builtin_popcountll(neighbours[i]);
		left |= only(i);
	}
	for (int k = 0; k < n; k++) {
		Set others = left;
		int chosen = take_first(&others);
		while (others) {
			const int i = take_first(&others);
			chosen = degree[i] < degree[chosen] ? i : chosen;
		}
		left &= ~only(chosen);
		pattern->position_of[chosen] = k;
		pattern->body_at[k] = chosen;
		coupled[k] = neighbours[chosen];
		count += (size_t)degree[chosen];
		for (Set rest = coupled[k]; rest;) { /* the neighbours of an eliminated body become neighbours */
			const int i = take_first(&rest);
			neighbours[i] = (neighbours[i] | coupled[k]) & ~(only(i) | only(chosen));
			degree[i] = __builtin_popcountll(neighbours[i]);
		}
	}
	return count;
}

AbutStatus abut_block_pattern_small(AbutBlockPattern *pattern, int n_pairs, const int (*pairs)[2])
{
	const int n = pattern->n;
	Set neighbours[ABUT_PATTERN_SMALL], coupled[ABUT_PATTERN_SMALL];
	memset(neighbours, 0, (size_t)n * sizeof *neighbours);
	for (int i = 0; i < n_pairs; i++) {
		if (abut_pair_couples(pairs[i])) {
			neighbours[pairs[i][0]] |= only(pairs[i][1]);
			neighbours[pairs[i][1]] |= only(pairs[i][0]);
		}
	}
	const AbutStatus status = abut_block_pattern_entries_room(pattern, eliminate(pattern, neighbours, coupled));
	if (status != ABUT_OK) {
		return status;
	}
	int count = 0;
	for (int k = 0; k < n; k++) {
		Set later = 0;
		for (Set rest = coupled[k]; rest;) {
			later |= only(pattern->position_of[take_first(&rest)]);
		}
		pattern->first[k] = count;
		while (later) {
			pattern->next[count++] = take_first(&later);
		}
	}
	pattern->first[n] = count;
	return ABUT_OK;
}
