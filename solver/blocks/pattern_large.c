/* The pattern of many bodies: approximate minimum degree for the order (AMD: Amestoy, Davis, Duff 1996), then the fill
 * in time proportional to its size. The only file that includes amd.h (docs/dependencies.md). */
#include <amd.h>
#include <limits.h>
#include <string.h>

#include "solver/blocks/pattern_parts.h"

/* The graph as lists, body i's from start[i] for length[i]. */
typedef struct Lists {
	int *start, *length, *bodies;
} Lists;

/* Views of the scratch. What AMD destroys is apart from the lists, which are needed again after it. */
typedef struct Scratch {
	Lists graph;
	int *n_arrays[7]; /* (n) each */
	int *work;        /* (n_work) */
	size_t n_work;
} Scratch;

/* AMD asks for the lists, n more, and recommends a fifth of the lists for elbow room. */
static size_t work_size(int n, int n_pairs)
{
	const size_t entries = 2 * (size_t)n_pairs;
	return entries + entries / 5 + (size_t)n;
}

size_t abut_block_pattern_large_scratch(int n, int n_pairs)
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

/* Counts, places, and transposes: the graph is symmetric, so that its lists come back, but ascending, and what comes
 * twice comes in succession and is dropped. */
static void make_lists(int n, int n_pairs, const int (*pairs)[2], Scratch *s)
{
	Lists *graph = &s->graph;
	int *raw = s->work, *raw_length = s->n_arrays[0], total = 0;
	memset(raw_length, 0, (size_t)n * sizeof(int));
	for (int i = 0; i < n_pairs; i++) {
		if (abut_pair_couples(pairs[i])) {
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
		if (abut_pair_couples(pairs[i])) {
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

/* AMD's inner routine works in the caller's memory; it wants the lists one after the other. */
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

/* i is coupled to j < i in the factors when a path joins them through positions before j. Those j are i's neighbours
 * and all that lies above them in the elimination tree, below i, where the parent of j is the first position that it is
 * coupled to. One walk over them for each i finds the tree on its way; as i ascends, so do the rows that are made. */
typedef struct Walk {
	int *parent, *seen_by, *end; /* end: of row j, or the number of its entries while they are only counted */
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
	const AbutStatus status = abut_block_pattern_entries_room(pattern, total);
	if (status != ABUT_OK) {
		return status;
	}
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

AbutStatus abut_block_pattern_large(AbutBlockPattern *pattern, int n_pairs, const int (*pairs)[2])
{
	if (work_size(pattern->n, n_pairs) > INT_MAX) {
		return ABUT_ERROR_MEMORY;
	}
	const AbutStatus status =
	    abut_integers_room(&pattern->scratch, abut_block_pattern_large_scratch(pattern->n, n_pairs));
	if (status != ABUT_OK) {
		return status;
	}
	Scratch s = carve(pattern->scratch.at, pattern->n, n_pairs);
	make_lists(pattern->n, n_pairs, pairs, &s);
	order(pattern, &s);
	return make_rows(pattern, &s);
}
