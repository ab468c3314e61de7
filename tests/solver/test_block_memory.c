/* Tests memory of patterns and of blocks. Nothing is allocated within the reserved sizes, memory grows when needed, and
 * a failed allocation leaves nothing behind. The allocations of AMD inside its library cannot be seen; it works in the
 * memory it is given. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "allocation_watch.h"
#include "graphs.h"

static AbutStatus analyse(const Graph *graph, AbutBlockPattern *pattern)
{
	return abut_block_pattern_analyse(pattern, graph->n, graph->n_pairs, (const int(*)[2])graph->pairs);
}

/* Without this test, a build without the linker's option would pass all other tests. */
Test(block_memory, is_watched)
{
	AbutBlockPattern pattern = {.n = 0};
	watch_begin(0);
	cr_assert_eq(abut_block_pattern_reserve(&pattern, 100, 200, 1000), ABUT_OK);
	watch_end();
	cr_assert_eq(watch.calls, 3);
	cr_assert_eq(watch.live, 3);
	abut_block_pattern_destroy(&pattern);
}

/* Reserves exactly the size of each graph, known from another analysis. */
Test(block_memory, none_after_reserve)
{
	for (unsigned seed = 0; seed < 40 * GRAPH_KINDS; seed++) {
		AbutRng rng = {seed};
		Graph graph;
		AbutBlockPattern first = {.n = 0}, pattern = {.n = 0};
		graph_sample((GraphKind)(seed % GRAPH_KINDS), 1 + pick(&rng, seed % 2 ? 150 : 20), &rng, &graph);
		cr_assert_eq(analyse(&graph, &first), ABUT_OK);
		cr_assert_eq(abut_block_pattern_reserve(&pattern, graph.n, graph.n_pairs, first.n_blocks), ABUT_OK);
		watch_begin(0);
		const AbutStatus status = analyse(&graph, &pattern);
		watch_end();
		cr_assert_eq(status, ABUT_OK, "seed %u", seed);
		cr_assert_eq(watch.calls, 0, "%s of %d, seed %u: %ld allocations", graph_names[seed % GRAPH_KINDS],
		             graph.n, seed, watch.calls);
		cr_assert_eq(pattern.n_blocks, first.n_blocks);
		graph.n = (graph.n + 1) / 2; /* fewer, the others static */
		for (int i = 0; i < 2 * graph.n_pairs; i++) {
			int *body = &graph.pairs[i / 2][i % 2];
			*body = *body < graph.n ? *body : -1;
		}
		watch_begin(0);
		analyse(&graph, &pattern);
		watch_end();
		cr_assert_eq(watch.calls, 0, "seed %u, half: %ld allocations", seed, watch.calls);
		abut_block_pattern_destroy(&first);
		abut_block_pattern_destroy(&pattern);
		graph_free(&graph);
	}
}

/* A chain grows body by body to 400. Its three arrays and the blocks grow by at least half, so that each is allocated
 * at most some 16 times. */
Test(block_memory, grows_by_half)
{
	AbutBlockPattern pattern = {.n = 0};
	AbutBlockMemory memory = {.capacity = 0};
	static int pairs[400][2];
	long pattern_calls = 0, memory_calls = 0;
	for (int n = 1; n <= 400; n++) {
		pairs[n - 1][0] = n - 1;
		pairs[n - 1][1] = n;
		watch_begin(0);
		const AbutStatus status = abut_block_pattern_analyse(&pattern, n, n - 1, (const int(*)[2])pairs);
		watch_end();
		pattern_calls += watch.calls;
		watch_begin(0);
		const AbutStatus room = abut_block_memory_room(&memory, pattern.n_blocks);
		watch_end();
		memory_calls += watch.calls;
		cr_assert(status == ABUT_OK && room == ABUT_OK);
		cr_assert_eq(pattern.n_blocks, 3 * n - 2, "%d", n);
		cr_assert_eq((size_t)memory.blocks % 64, 0);
		memset(memory.blocks, 0, (size_t)pattern.n_blocks * ABUT_BLOCK_SIZE * sizeof(double));
	}
	cr_assert_leq(pattern_calls, 3 * 16, "%ld", pattern_calls);
	cr_assert_leq(memory_calls, 18, "%ld", memory_calls);
	abut_block_pattern_destroy(&pattern);
	abut_block_memory_destroy(&memory);
}

/* Each allocation in turn fails. The pattern then has no bodies, and can be used again once there is memory. */
Test(block_memory, failure_leaves_nothing)
{
	for (int n = 5; n < 200; n += 100) {
		AbutRng rng = {1};
		Graph graph;
		AbutBlockPattern pattern = {.n = 0};
		graph_sample(GRAPH_CUBE, n, &rng, &graph);
		long fail_at = 1;
		for (;; fail_at++) {
			watch_begin(fail_at);
			const AbutStatus status = analyse(&graph, &pattern);
			const bool reached = watch.calls >= fail_at;
			watch.fail_at = 0;
			if (!reached) {
				cr_assert_eq(status, ABUT_OK);
				watch_end();
				break;
			}
			cr_assert(status == ABUT_ERROR_MEMORY && pattern.n == 0 && pattern.n_blocks == 0,
			          "%d, allocation %ld", n, fail_at);
			const AbutStatus again = analyse(&graph, &pattern);
			cr_assert_eq(again, ABUT_OK);
			abut_block_pattern_destroy(&pattern);
			watch_end();
			cr_assert_eq(watch.live, 0, "%d, allocation %ld: %ld are left", n, fail_at, watch.live);
		}
		cr_assert_eq(fail_at, n > 64 ? 4 : 3);
		abut_block_pattern_destroy(&pattern);
		graph_free(&graph);
	}
}
