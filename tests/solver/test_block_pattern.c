/* Tests patterns of block systems: the fill by its definition, its size, and the place of a block. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "graphs.h"

enum { CHAIN = 400, CROWD = 600 };

static void analyse(const Graph *graph, AbutBlockPattern *pattern)
{
	cr_assert_eq(abut_block_pattern_analyse(pattern, graph->n, graph->n_pairs, (const int(*)[2])graph->pairs),
	             ABUT_OK);
}

/* Checks that the order is a permutation and that rows ascend. */
static void assert_sound(const AbutBlockPattern *pattern, const char *what, unsigned seed)
{
	cr_assert_eq(pattern->n_blocks, pattern->n + 2 * pattern->first[pattern->n], "%s, seed %u", what, seed);
	cr_assert_eq(pattern->first[0], 0);
	for (int k = 0; k < pattern->n; k++) {
		cr_assert(pattern->position_of[k] >= 0 && pattern->position_of[k] < pattern->n, "%s, seed %u", what,
		          seed);
		cr_assert_eq(pattern->body_at[pattern->position_of[k]], k, "%s, seed %u", what, seed);
		for (int e = pattern->first[k]; e < pattern->first[k + 1]; e++) {
			const int before = e > pattern->first[k] ? pattern->next[e - 1] : k;
			cr_assert(pattern->next[e] > before && pattern->next[e] < pattern->n, "%s, seed %u: row %d",
			          what, seed, k);
		}
	}
}

static void assert_blocks(const AbutBlockPattern *pattern, int expected, const char *what, unsigned seed)
{
	assert_sound(pattern, what, seed);
	cr_assert_eq(pattern->n_blocks, expected, "%s, seed %u: %d blocks for %d", what, seed, pattern->n_blocks,
	             expected);
}

/* Computes the fill: i and j are coupled in the factors if a path joins them through bodies eliminated before both.
 * `reach`, by positions, contains the couplings at first. Returns the number of pairs at the end. */
static int eliminate(int n, bool *reach)
{
	int count = 0;
	for (int k = 0; k < n; k++) {
		for (int i = k + 1; i < n; i++) {
			count += reach[i * n + k];
			for (int j = k + 1; j < n && reach[i * n + k]; j++) {
				reach[i * n + j] = reach[i * n + j] || reach[k * n + j];
			}
		}
	}
	return count;
}

/* Uses one pattern for changing graphs of few and of many bodies. It must be exactly the fill. Every block has its own
 * index, and the blocks of a row are contiguous, (j, k) after (k, j). */
Test(block_pattern, is_the_fill)
{
	AbutBlockPattern pattern = {.n = 0};
	for (unsigned seed = 0; seed < 60 * GRAPH_KINDS; seed++) {
		AbutRng rng = {seed};
		Graph graph;
		const GraphKind kind = (GraphKind)(seed % GRAPH_KINDS);
		graph_sample(kind, seed % 3 == 0 ? 60 + pick(&rng, 100) : 1 + pick(&rng, 16), &rng, &graph);
		analyse(&graph, &pattern);
		assert_sound(&pattern, graph_names[kind], seed);
		const int n = graph.n;
		bool *reach = malloc((size_t)(n * n));
		for (int i = 0; i < n * n; i++) {
			reach[i] = graph.coupled[pattern.body_at[i / n] * n + pattern.body_at[i % n]];
		}
		cr_assert_eq(eliminate(n, reach), pattern.first[n], "%s, seed %u", graph_names[kind], seed);
		int block = 0;
		for (int i = 0; i < n; i++) {
			cr_assert_eq(abut_block_pattern_find(&pattern, pattern.body_at[i], pattern.body_at[i]),
			             block++);
			for (int j = i + 1; j < n; j++) {
				const int a = pattern.body_at[i], b = pattern.body_at[j];
				const int above = abut_block_pattern_find(&pattern, a, b);
				const int below = abut_block_pattern_find(&pattern, b, a);
				if (reach[i * n + j]) {
					cr_assert(above == block && below == block + 1, "%s of %d, seed %u: %d, %d",
					          graph_names[kind], n, seed, i, j);
					block += 2;
				} else {
					cr_assert(above == -1 && below == -1, "%s of %d, seed %u: %d, %d",
					          graph_names[kind], n, seed, i, j);
				}
			}
		}
		cr_assert_eq(block, pattern.n_blocks);
		free(reach);
		graph_free(&graph);
	}
	abut_block_pattern_destroy(&pattern);
}

/* The pairs in another order, each once and without those that couple nothing, give the same pattern. */
Test(block_pattern, depends_on_the_graph_alone)
{
	for (unsigned seed = 0; seed < 20 * GRAPH_KINDS; seed++) {
		AbutRng rng = {seed};
		Graph graph;
		AbutBlockPattern pattern = {.n = 0}, other = {.n = 0};
		graph_sample((GraphKind)(seed % GRAPH_KINDS), 1 + pick(&rng, 150), &rng, &graph);
		analyse(&graph, &pattern);
		graph.n_pairs = 0;
		for (int i = 0; i < graph.n; i++) {
			for (int j = 0; j < i; j++) {
				if (graph.coupled[i * graph.n + j]) {
					graph.pairs[graph.n_pairs][0] = i;
					graph.pairs[graph.n_pairs++][1] = j;
				}
			}
		}
		analyse(&graph, &other);
		const size_t n = (size_t)graph.n;
		cr_assert_eq(memcmp(pattern.body_at, other.body_at, n * sizeof(int)), 0, "seed %u", seed);
		cr_assert_eq(memcmp(pattern.first, other.first, (n + 1) * sizeof(int)), 0, "seed %u", seed);
		for (int i = 0; i < pattern.first[n]; i++) {
			cr_assert_eq(pattern.next[i], other.next[i], "seed %u, entry %d", seed, i);
		}
		abut_block_pattern_destroy(&pattern);
		abut_block_pattern_destroy(&other);
		graph_free(&graph);
	}
}

/* Chains and stars are trees, which a good order does not fill. A ring has one fill entry in each row except the last
 * two. */
Test(block_pattern, trees_fill_nothing)
{
	AbutBlockPattern pattern = {.n = 0};
	for (unsigned seed = 0; seed < 100; seed++) {
		static const GraphKind kinds[] = {GRAPH_CHAIN, GRAPH_STAR, GRAPH_RING};
		for (int i = 0; i < 3; i++) {
			AbutRng rng = {seed};
			Graph graph;
			const int n = seed < 50 ? 3 + pick(&rng, 40) : 60 + pick(&rng, CHAIN);
			graph_sample(kinds[i], n, &rng, &graph);
			analyse(&graph, &pattern);
			assert_blocks(&pattern, kinds[i] == GRAPH_RING ? n + 2 * (2 * n - 3) : n + 2 * (n - 1),
			              graph_names[kinds[i]], seed);
			graph_free(&graph);
		}
	}
	abut_block_pattern_destroy(&pattern);
}

/* With 600 bodies that all touch, rows have hundreds of entries. Nothing of them is left for the next graph. */
Test(block_pattern, crowd_of_600)
{
	AbutRng rng = {0};
	Graph graph;
	AbutBlockPattern pattern = {.n = 0};
	graph_sample(GRAPH_COMPLETE, CROWD, &rng, &graph);
	analyse(&graph, &pattern);
	assert_blocks(&pattern, CROWD * CROWD, "crowd", 0);
	graph.n_pairs = 0;
	analyse(&graph, &pattern);
	assert_blocks(&pattern, CROWD, "nothing", 0);
	abut_block_pattern_destroy(&pattern);
	graph_free(&graph);
}

/* A grid of 10 x 10 x 10, eliminated layer by layer, fills a band as wide as a layer: 80 thousand entries. Minimum
 * degree needs 34 to 39 thousand, as measured with exact degrees in four numberings. */
Test(block_pattern, fills_a_cube_little)
{
	enum { SIDE = 10, N = SIDE * SIDE * SIDE };
	bool *reach = calloc((size_t)N * N, 1);
	for (int i = 0; i < N; i++) {
		reach[i * N + i] = true;
		reach[i * N + (i % SIDE ? i - 1 : i)] = true;
		reach[i * N + (i / SIDE % SIDE ? i - SIDE : i)] = true;
		reach[i * N + (i / SIDE / SIDE ? i - SIDE * SIDE : i)] = true;
	}
	for (int i = 0; i < N * N; i++) {
		reach[i] = reach[i] || reach[i % N * N + i / N];
	}
	const int natural = eliminate(N, reach);
	free(reach);
	cr_assert_gt(natural, 80000);
	for (unsigned seed = 0; seed < 5; seed++) {
		AbutRng rng = {seed};
		Graph graph;
		AbutBlockPattern pattern = {.n = 0};
		graph_sample(GRAPH_CUBE, N, &rng, &graph);
		analyse(&graph, &pattern);
		assert_sound(&pattern, "cube", seed);
		cr_assert_lt(pattern.first[N], natural / 2, "seed %u: %d entries of %d", seed, pattern.first[N],
		             natural);
		abut_block_pattern_destroy(&pattern);
		graph_free(&graph);
	}
}
