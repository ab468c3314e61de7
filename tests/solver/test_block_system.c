/* Compares block LU over graphs of bodies with LAPACK on the assembled matrix. Different code analyses few and many
 * bodies, so that both sizes are tested. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/lapack.h"
#include "graphs.h"
#include "solver/blocks/columns.h"

enum { FEW = 12, MANY = 110 };

/* Picks a size from 1 to FEW; with every tenth seed from 65 to MANY. */
static int pick_size(unsigned seed, AbutRng *rng)
{
	return seed % 10 == 9 ? 65 + pick(rng, MANY - 64) : 1 + pick(rng, FEW);
}

static double *dense_memory(int n)
{
	return malloc(sizeof(double) * (size_t)(6 * n) * (size_t)(6 * n + 2));
}

static void solve_dense(int n, double *dense)
{
	int *pivots = malloc(sizeof(int) * 6 * (size_t)n);
	cr_assert(abut_lapack_solve(6 * n, dense, pivots, 2, dense + 36 * n * n));
	free(pivots);
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

static AbutBlockSystem copy_of(const AbutBlockSystem *system)
{
	const size_t size = sizeof(double) * ABUT_BLOCK_SIZE * (size_t)system->pattern->n_blocks;
	AbutBlockSystem copy = {system->pattern, malloc(size + 1)};
	memcpy(copy.blocks, system->blocks, size);
	return copy;
}

/* Computes the row sum of A x in column c, and the sum of the magnitudes of its terms. */
static double row_times(const Graph *graph, const AbutBlockSystem *A, bool transposed, int row, const AbutLanes *x,
                        int lane, double *size)
{
	const int a = row / 6, i = row % 6;
	double sum = 0.0;
	for (int b = 0; b < graph->n; b++) {
		for (int j = 0; j < 6 && graph->coupled[a * graph->n + b]; j++) {
			const double entry = transposed ? abut_block(A, b, a)[j * ABUT_BLOCK_ROW + i]
			                                : abut_block(A, a, b)[i * ABUT_BLOCK_ROW + j];
			sum += entry * x[6 * b + j][lane];
			*size += fabs(entry * x[6 * b + j][lane]);
		}
	}
	return sum;
}

/* Solves again with the factors: A, or A', times the solution must be the right-hand side. The transposed system loses
 * more digits, because rows dominate, not columns. */
static void check_again(const Graph *graph, const AbutBlockSystem *A, const AbutBlockSystem *factors, AbutRng *rng,
                        double tolerance, const char *name, unsigned seed)
{
	const int n = 6 * graph->n;
	AbutLanes *given = malloc(sizeof *given * (size_t)(3 * n)), *x = given + n, *left = x + n;
	for (int transposed = 0; transposed < 2; transposed++) {
		for (int i = 0; i < n * ABUT_LANES; i++) {
			x[i / ABUT_LANES][i % ABUT_LANES] = given[i / ABUT_LANES][i % ABUT_LANES] =
			    abut_rng_normal(rng);
		}
		if (transposed) {
			abut_block_system_solve_transposed(factors, x);
		} else {
			abut_block_system_solve_again(factors, x);
		}
		memcpy(left, given, sizeof *left * (size_t)n);
		abut_block_system_subtract(A, transposed == 1, x, left);
		for (int i = 0; i < n * ABUT_LANES; i++) {
			const int row = i / ABUT_LANES, lane = i % ABUT_LANES;
			double size = fabs(given[row][lane]);
			const double value = row_times(graph, A, transposed == 1, row, x, lane, &size);
			cr_assert_leq(fabs(value - given[row][lane]), tolerance * size,
			              "%s of %d, seed %u, transposed %d, row %d: %g, not %g", name, graph->n, seed,
			              transposed, row, value, given[row][lane]);
			cr_assert_leq(fabs(left[row][lane] - (given[row][lane] - value)), 1e-13 * size,
			              "%s of %d, seed %u, transposed %d, row %d: %g is left", name, graph->n, seed,
			              transposed, row, left[row][lane]);
		}
	}
	free(given);
}

/* If rows dominate twice, no pivoting is needed: growth is at most 2, and the condition number after row scaling about
 * 3. With weaker rows (0.5) of few bodies, nothing bounds growth and condition number, which reach 1e4 together. Their
 * tolerance, 1e-9, is the error of LAPACK. */
Test(block_system, solves_random_graphs)
{
	for (int kind = 0; kind < GRAPH_KINDS; kind++) {
		for (unsigned seed = 0; seed < 100; seed++) {
			AbutRng rng = {seed};
			Graph graph;
			OwnSystem own;
			graph_sample((GraphKind)kind, pick_size(seed, &rng), &rng, &graph);
			own_system_make(&graph, &own);
			double *dense = dense_memory(graph.n);
			for (int repeat = 0; repeat < (graph.n <= FEW ? 2 : 1);
			     repeat++) { /* the pattern serves any values */
				const bool strong = repeat == 0;
				fill_system(&graph, &own.system, strong ? 2.0 : 0.5, &rng, dense);
				const AbutBlockSystem unsolved = copy_of(&own.system);
				cr_assert(abut_block_system_solve(&own.system), "%s, seed %u", graph_names[kind], seed);
				solve_dense(graph.n, dense);
				check_solution(&graph, &own.system, dense + 36 * graph.n * graph.n,
				               strong ? 1e-13 : 1e-8, graph_names[kind], seed);
				check_again(&graph, &unsolved, &own.system, &rng, strong ? 1e-13 : 1e-8,
				            graph_names[kind], seed);
				free(unsolved.blocks);
			}
			free(dense);
			own_system_free(&own);
			graph_free(&graph);
		}
	}
}

/* Returns block (i, j) of n x n of the plain elimination below. */
static double *plain_block(double *blocks, int n, int i, int j)
{
	return &blocks[((long)i * n + j) * ABUT_BLOCK_SIZE];
}

/* Eliminates a diagonal block and the rest of its row by Gauss-Jordan, from column `from` on. */
static void plain_row(double *blocks, int n, int k)
{
	double *D = plain_block(blocks, n, k, k);
	for (int p = 0; p < 6; p++) {
		double factor[6];
		for (int r = 0; r < 6; r++) {
			factor[r] = D[r * ABUT_BLOCK_ROW + p];
		}
		for (int j = k; j < n; j++) {
			double *M = plain_block(blocks, n, k, j);
			for (int c = 0; c < ABUT_BLOCK_ROW; c++) {
				M[p * ABUT_BLOCK_ROW + c] *= 1.0 / factor[p];
			}
			for (int r = 0; r < 6; r++) {
				for (int c = 0; c < ABUT_BLOCK_ROW && r != p; c++) {
					M[r * ABUT_BLOCK_ROW + c] -= factor[r] * M[p * ABUT_BLOCK_ROW + c];
				}
			}
		}
	}
}

/* Subtracts left right from the columns `from` to `to` - 1 of target. */
static void plain_product(double *target, const double *left, const double *right, int from, int to)
{
	for (int r = 0; r < 6; r++) {
		for (int q = 0; q < 6; q++) {
			for (int c = from; c < to; c++) {
				target[r * ABUT_BLOCK_ROW + c] -=
				    left[r * ABUT_BLOCK_ROW + q] * right[q * ABUT_BLOCK_ROW + c];
			}
		}
	}
}

/* The bits equal those of plain elimination on the full table of blocks in the same order, body after body. Neither the
 * sparsity nor the common work of a supernode changes a sum. */
Test(block_system, has_the_bits_of_plain_elimination)
{
	for (unsigned seed = 0; seed < 140; seed++) {
		AbutRng rng = {seed};
		Graph graph;
		OwnSystem own;
		graph_sample((GraphKind)(seed % GRAPH_KINDS), pick_size(seed, &rng) % 80 + 1, &rng, &graph);
		own_system_make(&graph, &own);
		const int n = graph.n;
		double *dense = dense_memory(n), *blocks = calloc((size_t)(n * n) * ABUT_BLOCK_SIZE, sizeof(double));
		fill_system(&graph, &own.system, 2.0, &rng, dense);
		for (int i = 0; i < n * n; i++) {
			const int body = own.pattern.body_at[i / n], other = own.pattern.body_at[i % n];
			if (graph.coupled[body * n + other]) {
				memcpy(plain_block(blocks, n, i / n, i % n), abut_block(&own.system, body, other),
				       ABUT_BLOCK_SIZE * sizeof(double));
			}
		}
		for (int k = 0; k < n; k++) {
			plain_row(blocks, n, k);
			const double *own_rhs = plain_block(blocks, n, k, k);
			for (int i = k + 1; i < n; i++) {
				const double *left = plain_block(blocks, n, i, k);
				plain_product(plain_block(blocks, n, i, i), left, own_rhs, 6, 8);
				for (int j = k + 1; j < n; j++) {
					plain_product(plain_block(blocks, n, i, j), left, plain_block(blocks, n, k, j),
					              0, 6);
				}
			}
		}
		for (int k = n - 1; k >= 0; k--) {
			for (int j = k + 1; j < n; j++) {
				plain_product(plain_block(blocks, n, k, k), plain_block(blocks, n, k, j),
				              plain_block(blocks, n, j, j), 6, 8);
			}
		}
		cr_assert(abut_block_system_solve(&own.system), "seed %u", seed);
		for (int k = 0; k < n; k++) {
			const double *expected = plain_block(blocks, n, k, k);
			const double *block = abut_block(&own.system, own.pattern.body_at[k], own.pattern.body_at[k]);
			for (int i = 0; i < 6; i++) {
				cr_assert(block[i * ABUT_BLOCK_ROW + 6] == expected[i * ABUT_BLOCK_ROW + 6] &&
				              block[i * ABUT_BLOCK_ROW + 7] == expected[i * ABUT_BLOCK_ROW + 7],
				          "%s of %d, seed %u: position %d, row %d", graph_names[seed % GRAPH_KINDS], n,
				          seed, k, i);
			}
		}
		free(blocks);
		free(dense);
		own_system_free(&own);
		graph_free(&graph);
	}
}

/* The same system with another numbering of the bodies has the same solution. The order may change only rounding. */
Test(block_system, numbering_does_not_matter)
{
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		Graph graph, other;
		OwnSystem a, b;
		graph_sample((GraphKind)(seed % GRAPH_KINDS), pick_size(seed, &rng), &rng, &graph);
		const int n = graph.n, shift = pick(&rng, n);
		other = graph;
		other.pairs = malloc(sizeof(int[2]) * (size_t)(graph.n_pairs + 1));
		for (int i = 0; i < 2 * graph.n_pairs; i++) {
			const int body = graph.pairs[i / 2][i % 2];
			other.pairs[i / 2][i % 2] = body < 0 ? body : (body + shift) % n;
		}
		own_system_make(&graph, &a);
		own_system_make(&other, &b);
		double *dense = dense_memory(n), *moved = malloc(sizeof(double) * 12 * (size_t)n);
		fill_system(&graph, &a.system, 2.0, &rng, dense);
		abut_block_system_clear(&b.system);
		for (int i = 0; i < n * n; i++) {
			if (graph.coupled[i]) {
				memcpy(abut_block(&b.system, (i / n + shift) % n, (i % n + shift) % n),
				       abut_block(&a.system, i / n, i % n), ABUT_BLOCK_SIZE * sizeof(double));
			}
		}
		cr_assert(abut_block_system_solve(&a.system) && abut_block_system_solve(&b.system), "seed %u", seed);
		for (int i = 0; i < 12 * n; i++) {
			const int body = (i % (6 * n) / 6 + shift) % n;
			moved[i] = abut_block(&b.system, body, body)[i % 6 * ABUT_BLOCK_ROW + 6 + i / (6 * n)];
		}
		check_solution(&graph, &a.system, moved, 1e-13, "numbering", seed);
		free(dense);
		free(moved);
		free(other.pairs);
		own_system_free(&a);
		own_system_free(&b);
		graph_free(&graph);
	}
}

/* A pivot that is zero, infinite or NaN must give false, wherever it is. */
Test(block_system, bad_pivots_are_reported)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {seed};
		Graph graph;
		OwnSystem own;
		graph_sample((GraphKind)(seed % GRAPH_KINDS), pick_size(seed, &rng), &rng, &graph);
		own_system_make(&graph, &own);
		double *dense = dense_memory(graph.n);
		fill_system(&graph, &own.system, 2.0, &rng, dense);
		const int body = pick(&rng, graph.n), row = pick(&rng, 6);
		for (int other = 0; other < graph.n;
		     other++) { /* a whole row is zero, or has one NaN on the diagonal */
			if (graph.coupled[body * graph.n + other]) {
				memset(&abut_block(&own.system, body, other)[row * ABUT_BLOCK_ROW], 0,
				       6 * sizeof(double));
			}
		}
		if (seed % 3 == 0) {
			abut_block(&own.system, body, body)[row * (ABUT_BLOCK_ROW + 1)] = (double)NAN;
		}
		cr_assert_not(abut_block_system_solve(&own.system), "seed %u", seed);
		free(dense);
		own_system_free(&own);
		graph_free(&graph);
	}
}

Test(block_system, of_no_bodies)
{
	OwnSystem own;
	own_system_make(&(Graph){.n = 0}, &own);
	cr_assert_eq(own.pattern.n_blocks, 0);
	abut_block_system_clear(&own.system);
	cr_assert(abut_block_system_solve(&own.system));
	own_system_free(&own);
	own_system_free(&own); /* twice is fine */
}
