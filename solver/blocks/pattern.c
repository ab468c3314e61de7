/* Finds the order of elimination and the blocks of a pattern. For up to 64 bodies a set of bodies is one word, which is
 * faster than calling a library. More bodies are ordered by AMD (Amestoy, Davis, Duff 1996); finding their fill takes
 * time proportional to its size. This is the only file that includes amd.h (docs/dependencies.md). */
#include "solver/blocks/pattern.h"

#include <amd.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clones.h"
#include "base/error.h"

enum { SMALL = 64 }; /* most bodies whose sets are one word */

static bool couples(const int pair[2])
{
	return pair[0] >= 0 && pair[1] >= 0 && pair[0] != pair[1];
}

/* --- memory --- */

static AbutStatus integers_room(AbutIntegers *integers, size_t count)
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
	const AbutStatus status = integers_room(&pattern->of_bodies, 3 * size + 1);
	if (status == ABUT_OK) {
		pattern->position_of = pattern->of_bodies.at;
		pattern->body_at = pattern->position_of + size;
		pattern->first = pattern->body_at + size;
	}
	return status;
}

static AbutStatus entries_room(AbutBlockPattern *pattern, size_t count)
{
	if (count > ((size_t)INT_MAX - (size_t)pattern->n) / 2) { /* blocks are counted by an int */
		return ABUT_ERROR_MEMORY;
	}
	const AbutStatus status = integers_room(&pattern->of_entries, count);
	pattern->next = pattern->of_entries.at;
	return status;
}

/* --- few bodies --- */

typedef uint64_t Set;

static inline Set only(int i)
{
	return (Set)1 << i;
}

/* Removes the first member of the set and returns it. */
static inline int take_first(Set *set)
{
	const int i = __builtin_ctzll(*set);
	*set &= *set - 1;
	return i;
}

/* Finds the order of elimination by greedy minimum degree, taking the first body of equal degree. For each position,
 * finds the bodies coupled to it when it is eliminated. Returns the number of couplings. */
ABUT_CLONES static size_t eliminate(AbutBlockPattern *pattern, Set *neighbours, Set *coupled)
{
	const int n = pattern->n;
	int degree[SMALL];
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
		for (Set rest = coupled[k];
		     rest;) { /* the neighbours of an eliminated body become neighbours of each other */
			const int i = take_first(&rest);
			neighbours[i] = (neighbours[i] | coupled[k]) & ~(only(i) | only(chosen));
			degree[i] = __builtin_popcountll(neighbours[i]);
		}
	}
	return count;
}

static AbutStatus analyse_small(AbutBlockPattern *pattern, int n_pairs, const int (*pairs)[2])
{
	const int n = pattern->n;
	Set neighbours[SMALL], coupled[SMALL];
	memset(neighbours, 0, (size_t)n * sizeof *neighbours);
	for (int i = 0; i < n_pairs; i++) {
		if (couples(pairs[i])) {
			neighbours[pairs[i][0]] |= only(pairs[i][1]);
			neighbours[pairs[i][1]] |= only(pairs[i][0]);
		}
	}
	ABUT_TRY(entries_room(pattern, eliminate(pattern, neighbours, coupled)));
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

/* --- many bodies --- */

/* The graph as lists: body i's neighbours start at start[i], length[i] of them. */
typedef struct Lists {
	int *start, *length, *bodies;
} Lists;

/* Views of the scratch memory. AMD destroys its input, so it gets a copy of the lists, which are needed again. */
typedef struct Scratch {
	Lists graph;
	int *n_arrays[7]; /* (n) each */
	int *work;        /* (n_work) */
	size_t n_work;
} Scratch;

/* Returns the size of AMD's workspace: the lists, the recommended fifth of them as spare room, and n more. */
static size_t work_size(int n, int n_pairs)
{
	const size_t entries = 2 * (size_t)n_pairs;
	return entries + entries / 5 + (size_t)n;
}

static size_t large_scratch(int n, int n_pairs)
{
	return 9 * (size_t)n + 2 * (size_t)n_pairs + work_size(n, n_pairs);
}

static Scratch carve(int *memory, int n, int n_pairs)
{
	Scratch s;
	s.graph.start = memory;
	s.graph.length = memory + n;
	for (int i = 0; i < 7; i++) {
		s.n_arrays[i] = memory + (size_t)(2 + i) * (size_t)n;
	}
	s.graph.bodies = memory + 9 * (size_t)n;
	s.work = s.graph.bodies + 2 * (size_t)n_pairs;
	s.n_work = work_size(n, n_pairs);
	return s;
}

/* Makes the lists by counting and placing their entries, then transposes them. The graph is symmetric, so that the
 * transpose has the same lists in ascending order. Duplicates are then adjacent and are dropped. */
static void make_lists(int n, int n_pairs, const int (*pairs)[2], Scratch *s)
{
	Lists *graph = &s->graph;
	int *raw = s->work, *raw_length = s->n_arrays[0], total = 0;
	memset(raw_length, 0, (size_t)n * sizeof(int));
	for (int i = 0; i < n_pairs; i++) {
		if (couples(pairs[i])) {
			raw_length[pairs[i][0]]++;
			raw_length[pairs[i][1]]++;
		}
	}
	for (int i = 0; i < n; i++) {
		graph->start[i] = total;
		total += raw_length[i];
		raw_length[i] = graph->length[i] = 0;
	}
	for (int i = 0; i < n_pairs; i++) {
		const int a = pairs[i][0], b = pairs[i][1];
		if (couples(pairs[i])) {
			raw[graph->start[a] + raw_length[a]++] = b;
			raw[graph->start[b] + raw_length[b]++] = a;
		}
	}
	for (int i = 0; i < n; i++) {
		for (int e = 0; e < raw_length[i]; e++) {
			const int j = raw[graph->start[i] + e];
			int *list = &graph->bodies[graph->start[j]], *length = &graph->length[j];
			if (*length == 0 || list[*length - 1] != i) {
				list[(*length)++] = i;
			}
		}
	}
}

/* Orders the bodies by AMD's inner routine, which works in the caller's memory and needs contiguous lists. */
static void order(AbutBlockPattern *pattern, Scratch *s)
{
	const int n = pattern->n;
	int *start = s->n_arrays[0], *length = s->n_arrays[1], used = 0;
	for (int i = 0; i < n; i++) {
		start[i] = used;
		length[i] = s->graph.length[i];
		memcpy(&s->work[used], &s->graph.bodies[s->graph.start[i]], (size_t)length[i] * sizeof(int));
		used += length[i];
	}
	amd_2(n, start, s->work, length, (int)s->n_work, used, s->n_arrays[2], pattern->position_of, pattern->body_at,
	      s->n_arrays[3], s->n_arrays[4], s->n_arrays[5], s->n_arrays[6], NULL, NULL);
}

/* Finds the couplings of the factors. Position i is coupled to j < i if a path joins them through positions before j.
 * These j are the neighbours of i before i, and their ancestors before i in the elimination tree. There the parent of j
 * is the first later position coupled to it. One walk over them for each i also builds the tree. The rows come out
 * ascending because i ascends. */
typedef struct Walk {
	int *parent, *seen_by, *end; /* end[j]: end of row j, or the number of its entries while they are counted */
} Walk;

static void walk(const AbutBlockPattern *pattern, const Lists *graph, Walk *w, int *next)
{
	for (int i = 0; i < pattern->n; i++) {
		const int body = pattern->body_at[i];
		w->seen_by[i] = i;
		for (int e = 0; e < graph->length[body]; e++) {
			int j = pattern->position_of[graph->bodies[graph->start[body] + e]];
			for (; j < i && w->seen_by[j] != i; j = w->parent[j]) {
				if (w->parent[j] < 0) {
					w->parent[j] = i;
				}
				w->seen_by[j] = i;
				if (next) {
					next[w->end[j]] = i;
				}
				w->end[j]++;
			}
		}
	}
}

static AbutStatus make_rows(AbutBlockPattern *pattern, Scratch *s)
{
	const int n = pattern->n;
	Walk w = {s->n_arrays[0], s->n_arrays[1], s->n_arrays[2]};
	for (int i = 0; i < n; i++) {
		w.parent[i] = w.seen_by[i] = -1;
		w.end[i] = 0;
	}
	walk(pattern, &s->graph, &w, NULL);
	size_t total = 0;
	for (int i = 0; i < n; i++) {
		total += (size_t)w.end[i];
	}
	ABUT_TRY(entries_room(pattern, total));
	int count = 0;
	for (int i = 0; i < n; i++) {
		pattern->first[i] = count;
		count += w.end[i];
		w.end[i] = pattern->first[i];
		w.seen_by[i] = -1;
	}
	pattern->first[n] = count;
	walk(pattern, &s->graph, &w, pattern->next);
	return ABUT_OK;
}

static AbutStatus analyse_large(AbutBlockPattern *pattern, int n_pairs, const int (*pairs)[2])
{
	if (work_size(pattern->n, n_pairs) > INT_MAX) {
		return ABUT_ERROR_MEMORY;
	}
	ABUT_TRY(integers_room(&pattern->scratch, large_scratch(pattern->n, n_pairs)));
	Scratch s = carve(pattern->scratch.at, pattern->n, n_pairs);
	make_lists(pattern->n, n_pairs, pairs, &s);
	order(pattern, &s);
	return make_rows(pattern, &s);
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
	ABUT_THEN(status, entries_room(pattern, (size_t)n_blocks / 2));
	if (status == ABUT_OK && n > SMALL) {
		status = integers_room(&pattern->scratch, large_scratch(n, n_pairs));
	}
	return status;
}

AbutStatus abut_block_pattern_analyse(AbutBlockPattern *pattern, int n, int n_pairs, const int (*pairs)[2])
{
	AbutStatus status = bodies_room(pattern, n);
	pattern->n = n;
	if (status == ABUT_OK) {
		status = n <= SMALL ? analyse_small(pattern, n_pairs, pairs) : analyse_large(pattern, n_pairs, pairs);
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
