/* Block LU over graphs of bodies against LAPACK on the assembled matrix. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/lapack.h"
#include "base/rng.h"
#include "solver/block_system.h"

enum { BODIES_MAX = 12, PAIRS_MAX = 200, GRAPHS = 6 };

static const char *const graph_names[GRAPHS] = {"chain", "star", "dense", "sparse", "islands", "single"};

typedef struct Graph {
	int n, n_pairs;
	int pairs[PAIRS_MAX][2];
} Graph;

static int pick(AbutRng *rng, int n)
{
	return (int)(abut_rng_next(rng) % (uint64_t)n);
}

static void add_pair(Graph *graph, int a, int b)
{
	graph->pairs[graph->n_pairs][0] = a;
	graph->pairs[graph->n_pairs++][1] = b;
}

/* Bodies are numbered at random; some pairs come twice or reversed, some with a static partner. */
static void sample_graph(int kind, AbutRng *rng, Graph *graph)
{
	int name[BODIES_MAX] = {0};
	graph->n = kind == 5 ? 1 : 1 + pick(rng, BODIES_MAX);
	graph->n_pairs = 0;
	for (int i = 0; i < graph->n; i++) {
		const int j = pick(rng, i + 1);
		name[i] = name[j];
		name[j] = i;
	}
	for (int i = 0; i < graph->n; i++) {
		for (int j = 0; j < i; j++) {
			const bool coupled = kind == 0   ? i == j + 1
			                     : kind == 1 ? j == 0
			                     : kind == 2 ? true
			                     : kind == 3 ? pick(rng, 4) == 0
			                                 : i % 3 == j % 3 && i - j == 3;
			if (coupled) {
				const bool reversed = pick(rng, 2) == 0;
				add_pair(graph, name[reversed ? j : i], name[reversed ? i : j]);
			}
		}
		if (pick(rng, 3) == 0) {
			add_pair(graph, pick(rng, 2) ? -1 : name[i],
			         pick(rng, 2) ? -1 : name[i]); /* static, or itself */
		}
	}
	if (graph->n_pairs > 1 && pick(rng, 2) == 0) {
		add_pair(graph, graph->pairs[0][1], graph->pairs[0][0]);
	}
}

static bool coupled(const Graph *graph, int a, int b)
{
	for (int i = 0; i < graph->n_pairs; i++) {
		const int *pair = graph->pairs[i];
		if ((pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a)) {
			return true;
		}
	}
	return a == b;
}

/* Random nonsymmetric blocks, added to the system and to a dense matrix (column-major, right-hand sides behind it). The
 * diagonal is `dominance` times the sum of its row, below 1 only partly dominant. The system's rows differ in size by
 * up to 1e4 besides, which changes no solution. */
static void fill(const Graph *graph, AbutBlockSystem *system, double dominance, AbutRng *rng, double *dense)
{
	const int size = 6 * graph->n;
	double *rhs = dense + size * size, scale[6 * BODIES_MAX];
	memset(dense, 0, (size_t)(size * size + 2 * size) * sizeof *dense);
	abut_block_system_clear(system);
	for (int a = 0; a < graph->n; a++) {
		for (int b = 0; b < graph->n; b++) {
			if (!coupled(graph, a, b)) {
				continue;
			}
			for (int i = 0; i < 6; i++) {
				for (int j = 0; j < 6; j++) {
					dense[6 * a + i + (6 * b + j) * size] = abut_rng_normal(rng);
				}
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
	for (int a = 0; a < graph->n; a++) {
		for (int b = 0; b < graph->n; b++) {
			for (int i = 0; i < 6 && coupled(graph, a, b); i++) {
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
}

static void check_solution(const Graph *graph, const AbutBlockSystem *system, const double *solution, double tolerance,
                           const char *name, unsigned seed)
{
	const int size = 6 * graph->n;
	for (int lane = 0; lane < 2; lane++) {
		double largest = 0.0, worst = 0.0;
		for (int i = 0; i < size; i++) {
			const double value = abut_block(system, i / 6, i / 6)[i % 6 * ABUT_BLOCK_ROW + 6 + lane];
			largest = fmax(largest, fabs(solution[lane * size + i]));
			worst = fmax(worst, fabs(value - solution[lane * size + i]));
		}
		cr_assert_leq(worst, tolerance * largest, "%s of %d, seed %u, lane %d: %g", name, graph->n, seed, lane,
		              worst / largest);
	}
}

/* Rows that dominate twice over: no pivoting is needed, growth is at most 2, the condition after row scaling about 3.
 * Weaker ones (0.5): growth and condition reach 1e4 together, nothing bounds them; graded by what LAPACK loses, 1e-9.
 */
Test(block_system, solves_random_graphs)
{
	static double dense[(6 * BODIES_MAX) * (6 * BODIES_MAX + 2)];
	int pivots[6 * BODIES_MAX];
	for (int kind = 0; kind < GRAPHS; kind++) {
		for (unsigned seed = 0; seed < 200; seed++) {
			AbutRng rng = {seed};
			Graph graph;
			AbutBlockSystem system;
			sample_graph(kind, &rng, &graph);
			cr_assert_eq(abut_block_system_create(graph.n, &system), ABUT_OK);
			abut_block_system_analyse(&system, graph.n_pairs, (const int(*)[2])graph.pairs);
			for (int repeat = 0; repeat < 2; repeat++) { /* the analysis serves any values */
				const bool strong = repeat == 0;
				fill(&graph, &system, strong ? 2.0 : 0.5, &rng, dense);
				cr_assert(abut_block_system_solve(&system), "%s, seed %u", graph_names[kind], seed);
				double *rhs = dense + 36 * graph.n * graph.n;
				cr_assert(abut_lapack_solve(6 * graph.n, dense, pivots, 2, rhs));
				check_solution(&graph, &system, rhs, strong ? 1e-13 : 1e-8, graph_names[kind], seed);
			}
			abut_block_system_destroy(&system);
		}
	}
}

/* One system for changing graphs: analysed again, it forgets the last pattern. */
Test(block_system, is_analysed_again)
{
	static double dense[(6 * BODIES_MAX) * (6 * BODIES_MAX + 2)];
	int pivots[6 * BODIES_MAX];
	AbutBlockSystem system;
	cr_assert_eq(abut_block_system_create(8, &system), ABUT_OK);
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		Graph graph;
		do {
			sample_graph((int)(seed % 5), &rng, &graph);
		} while (graph.n != 8);
		abut_block_system_analyse(&system, graph.n_pairs, (const int(*)[2])graph.pairs);
		fill(&graph, &system, 2.0, &rng, dense);
		cr_assert(abut_block_system_solve(&system), "seed %u", seed);
		cr_assert(abut_lapack_solve(48, dense, pivots, 2, dense + 48 * 48));
		check_solution(&graph, &system, dense + 48 * 48, 1e-13, "again", seed);
	}
	abut_block_system_destroy(&system);
}

/* The pattern by definition: i and j are coupled in the factors when a path joins them through bodies eliminated before
 * both. block_of holds exactly those, all different, and next lists them in order. */
Test(block_system, pattern_is_the_fill)
{
	for (int kind = 0; kind < GRAPHS; kind++) {
		for (unsigned seed = 0; seed < 200; seed++) {
			AbutRng rng = {seed};
			Graph graph;
			AbutBlockSystem system;
			bool reach[BODIES_MAX][BODIES_MAX], used[BODIES_MAX * BODIES_MAX] = {false};
			sample_graph(kind, &rng, &graph);
			const int n = graph.n;
			cr_assert_eq(abut_block_system_create(n, &system), ABUT_OK);
			abut_block_system_analyse(&system, graph.n_pairs, (const int(*)[2])graph.pairs);
			for (int i = 0; i < n; i++) {
				cr_assert(system.position_of[i] >= 0 && system.position_of[i] < n);
				cr_assert_eq(system.body_at[system.position_of[i]], i, "%s, seed %u", graph_names[kind],
				             seed);
				for (int j = 0; j < n; j++) {
					reach[i][j] = coupled(&graph, system.body_at[i], system.body_at[j]);
				}
			}
			for (int k = 0; k < n; k++) { /* symbolic elimination, by positions */
				for (int i = k + 1; i < n; i++) {
					for (int j = k + 1; j < n; j++) {
						reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
					}
				}
			}
			int count = 0;
			for (int i = 0; i < n; i++) {
				int next = 0;
				for (int j = 0; j < n; j++) {
					const int block = system.block_of[i * n + j];
					cr_assert_eq(block >= 0, reach[i][j], "%s, seed %u: %d, %d", graph_names[kind],
					             seed, i, j);
					if (block < 0) {
						continue;
					}
					cr_assert(block < system.n_blocks && !used[block]);
					used[block] = true;
					count++;
					if (j > i) {
						cr_assert_eq(system.next[i * n + next++], j);
					}
				}
				cr_assert_eq(system.n_next[i], next);
			}
			cr_assert_eq(count, system.n_blocks);
			abut_block_system_destroy(&system);
		}
	}
}

/* Chains and stars are trees: a fill-reducing order makes none. */
Test(block_system, trees_fill_nothing)
{
	for (int kind = 0; kind < 2; kind++) {
		for (unsigned seed = 0; seed < 100; seed++) {
			AbutRng rng = {seed};
			Graph graph;
			AbutBlockSystem system;
			sample_graph(kind, &rng, &graph);
			cr_assert_eq(abut_block_system_create(graph.n, &system), ABUT_OK);
			abut_block_system_analyse(&system, graph.n_pairs, (const int(*)[2])graph.pairs);
			cr_assert_eq(system.n_blocks, graph.n + 2 * (graph.n - 1), "%s of %d, seed %u",
			             graph_names[kind], graph.n, seed);
			abut_block_system_destroy(&system);
		}
	}
}

/* The same system with its bodies numbered otherwise has the same solution: order may change rounding only. */
Test(block_system, numbering_does_not_matter)
{
	static double dense[(6 * BODIES_MAX) * (6 * BODIES_MAX + 2)], moved[(6 * BODIES_MAX) * (6 * BODIES_MAX + 2)];
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		Graph graph, other;
		AbutBlockSystem a, b;
		sample_graph((int)(seed % 5), &rng, &graph);
		const int n = graph.n, shift = pick(&rng, n);
		other = graph;
		for (int i = 0; i < graph.n_pairs; i++) {
			for (int j = 0; j < 2; j++) {
				const int body = graph.pairs[i][j];
				other.pairs[i][j] = body < 0 ? body : (body + shift) % n;
			}
		}
		cr_assert_eq(abut_block_system_create(n, &a), ABUT_OK);
		cr_assert_eq(abut_block_system_create(n, &b), ABUT_OK);
		abut_block_system_analyse(&a, graph.n_pairs, (const int(*)[2])graph.pairs);
		abut_block_system_analyse(&b, other.n_pairs, (const int(*)[2])other.pairs);
		fill(&graph, &a, 2.0, &rng, dense);
		abut_block_system_clear(&b);
		for (int i = 0; i < n; i++) {
			for (int j = 0; j < n; j++) {
				if (coupled(&graph, i, j)) {
					memcpy(abut_block(&b, (i + shift) % n, (j + shift) % n), abut_block(&a, i, j),
					       ABUT_BLOCK_SIZE * sizeof(double));
				}
			}
		}
		cr_assert(abut_block_system_solve(&a) && abut_block_system_solve(&b), "seed %u", seed);
		for (int i = 0; i < 6 * n; i++) {
			moved[i] = abut_block(&b, (i / 6 + shift) % n, (i / 6 + shift) % n)[i % 6 * ABUT_BLOCK_ROW + 6];
			moved[6 * n + i] =
			    abut_block(&b, (i / 6 + shift) % n, (i / 6 + shift) % n)[i % 6 * ABUT_BLOCK_ROW + 7];
		}
		check_solution(&graph, &a, moved, 1e-13, "numbering", seed);
		abut_block_system_destroy(&a);
		abut_block_system_destroy(&b);
	}
}

/* A pivot that is zero, infinite or not a number: false, wherever it is. */
Test(block_system, bad_pivots_are_reported)
{
	static double dense[(6 * BODIES_MAX) * (6 * BODIES_MAX + 2)];
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {seed};
		Graph graph;
		AbutBlockSystem system;
		sample_graph((int)(seed % GRAPHS), &rng, &graph);
		cr_assert_eq(abut_block_system_create(graph.n, &system), ABUT_OK);
		abut_block_system_analyse(&system, graph.n_pairs, (const int(*)[2])graph.pairs);
		fill(&graph, &system, 2.0, &rng, dense);
		const int body = pick(&rng, graph.n), row = pick(&rng, 6);
		for (int other = 0; other < graph.n;
		     other++) { /* a whole row is zero, or has one NaN on the diagonal */
			if (coupled(&graph, body, other)) {
				memset(&abut_block(&system, body, other)[row * ABUT_BLOCK_ROW], 0, 6 * sizeof(double));
			}
		}
		if (seed % 3 == 0) {
			abut_block(&system, body, body)[row * (ABUT_BLOCK_ROW + 1)] = (double)NAN;
		}
		cr_assert_not(abut_block_system_solve(&system), "seed %u", seed);
		abut_block_system_destroy(&system);
	}
}

Test(block_system, of_no_bodies)
{
	AbutBlockSystem system;
	cr_assert_eq(abut_block_system_create(0, &system), ABUT_OK);
	abut_block_system_analyse(&system, 0, NULL);
	cr_assert_eq(system.n_blocks, 0);
	abut_block_system_clear(&system);
	cr_assert(abut_block_system_solve(&system));
	abut_block_system_destroy(&system);
	cr_assert_null(system.memory);
	abut_block_system_destroy(&system); /* twice is fine */
}
