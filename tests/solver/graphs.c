#include "graphs.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

const char *const graph_names[GRAPH_KINDS] = {"chain", "star", "ring", "complete", "sparse", "cube", "three chains"};

void shuffle(AbutRng *rng, int n, int *names)
{
	for (int i = 0; i < n; i++) {
		const int j = pick(rng, i + 1);
		names[i] = names[j];
		names[j] = i;
	}
}

static bool kind_couples(GraphKind kind, int n, int i, int j, AbutRng *rng)
{
	const int side = (int)ceil(cbrt(n) - 1e-9), apart = i - j;
	switch (kind) {
	case GRAPH_CHAIN:
		return apart == 1;
	case GRAPH_STAR:
		return j == 0;
	case GRAPH_RING:
		return apart == 1 || apart == n - 1;
	case GRAPH_COMPLETE:
		return true;
	case GRAPH_SPARSE:
		return pick(rng, n) < 3;
	case GRAPH_CUBE:
		return (apart == 1 && i % side != 0) || (apart == side && i / side % side != 0) || apart == side * side;
	case GRAPH_THREE_CHAINS:
		return apart == 3;
	case GRAPH_KINDS:
	default:
		return false;
	}
}

static void add_pair(Graph *graph, int a, int b)
{
	graph->pairs[graph->n_pairs][0] = a;
	graph->pairs[graph->n_pairs++][1] = b;
	if (a >= 0 && b >= 0) {
		graph->coupled[a * graph->n + b] = graph->coupled[b * graph->n + a] = true;
	}
}

void graph_sample(GraphKind kind, int n, AbutRng *rng, Graph *graph)
{
	int *name = calloc((size_t)n, sizeof *name);
	*graph = (Graph){.n = n,
	                 .pairs = malloc(sizeof(int[2]) * (size_t)(n * n + 2 * n + 1)),
	                 .coupled = calloc((size_t)(n * n), sizeof(bool))};
	shuffle(rng, n, name);
	for (int i = 0; i < n; i++) {
		graph->coupled[i * n + i] = true;
		for (int j = 0; j < i; j++) {
			if (kind_couples(kind, n, i, j, rng)) {
				const bool reversed = pick(rng, 2) == 0;
				add_pair(graph, name[reversed ? j : i], name[reversed ? i : j]);
			}
			if (graph->coupled[name[i] * n + name[j]] && pick(rng, 8) == 0) {
				add_pair(graph, name[j], name[i]);
			}
		}
		if (pick(rng, 3) == 0) {
			add_pair(graph, pick(rng, 2) ? -1 : name[i], pick(rng, 2) ? -1 : name[i]);
		}
	}
	for (int i = graph->n_pairs - 1; i > 0; i--) { /* listed in any order */
		int pair[2];
		const int j = pick(rng, i + 1);
		memcpy(pair, graph->pairs[i], sizeof pair);
		memcpy(graph->pairs[i], graph->pairs[j], sizeof pair);
		memcpy(graph->pairs[j], pair, sizeof pair);
	}
	free(name);
}

void graph_free(Graph *graph)
{
	free(graph->pairs);
	free(graph->coupled);
}

void own_system_make(const Graph *graph, OwnSystem *out)
{
	memset(out, 0, sizeof *out);
	cr_assert_eq(abut_block_pattern_analyse(&out->pattern, graph->n, graph->n_pairs, (const int(*)[2])graph->pairs),
	             ABUT_OK);
	cr_assert_eq(abut_block_memory_room(&out->memory, out->pattern.n_blocks), ABUT_OK);
	out->system = (AbutBlockSystem){&out->pattern, out->memory.blocks};
}

void own_system_free(OwnSystem *own)
{
	abut_block_pattern_destroy(&own->pattern);
	abut_block_memory_destroy(&own->memory);
}

void fill_system(const Graph *graph, const AbutBlockSystem *system, double dominance, AbutRng *rng, double *dense)
{
	const int n = graph->n, size = 6 * n;
	double *rhs = dense + size * size, *scale = malloc(sizeof(double) * (size_t)size);
	memset(dense, 0, (size_t)(size * size + 2 * size) * sizeof *dense);
	abut_block_system_clear(system);
	for (int a = 0; a < n; a++) {
		for (int b = 0; b < n; b++) {
			for (int i = 0; i < 36 && graph->coupled[a * n + b]; i++) {
				dense[6 * a + i / 6 + (6 * b + i % 6) * size] = abut_rng_normal(rng);
			}
		}
		for (int i = 0; i < 6; i++) {
			double sum = 0.0;
			for (int j = 0; j < size; j++) {
				sum += fabs(dense[6 * a + i + j * size]);
			}
			dense[(6 * a + i) * (size + 1)] = dominance * sum * (pick(rng, 2) ? 1.0 : -1.0);
			rhs[6 * a + i] = abut_rng_normal(rng);
			rhs[size + 6 * a + i] = abut_rng_normal(rng);
			scale[6 * a + i] = exp(3.0 * abut_rng_normal(rng));
		}
	}
	for (int a = 0; a < n; a++) {
		for (int b = 0; b < n; b++) {
			for (int i = 0; i < 6 && graph->coupled[a * n + b]; i++) {
				double *row = &abut_block(system, a, b)[i * ABUT_BLOCK_ROW];
				for (int j = 0; j < 6; j++) {
					row[j] += scale[6 * a + i] * dense[6 * a + i + (6 * b + j) * size];
				}
				if (a == b) {
					row[6] += scale[6 * a + i] * rhs[6 * a + i];
					row[7] += scale[6 * a + i] * rhs[size + 6 * a + i];
				}
			}
		}
	}
	free(scale);
}
