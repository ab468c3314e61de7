/* Makes random graphs of bodies for the tests of block systems, and systems over them. */
#pragma once

#include <stdbool.h>

#include "base/rng.h"
#include "solver/blocks/system.h"

typedef enum GraphKind {
	GRAPH_CHAIN,
	GRAPH_STAR,
	GRAPH_RING,
	GRAPH_COMPLETE,
	GRAPH_SPARSE,
	GRAPH_CUBE, /* a grid of three dimensions */
	GRAPH_THREE_CHAINS,
	GRAPH_KINDS
} GraphKind;

extern const char *const graph_names[GRAPH_KINDS];

typedef struct Graph {
	int n, n_pairs;
	int (*pairs)[2];
	bool *coupled; /* (n x n) with the diagonal; what the pairs say */
} Graph;

static inline int pick(AbutRng *rng, int n)
{
	return (int)(abut_rng_next(rng) % (uint64_t)n);
}

/* Writes the numbers 0 to n - 1 in random order. */
void shuffle(AbutRng *rng, int n, int *names);
/* Makes a graph with random numbering. Some pairs occur twice or reversed, some have a static partner, and some the
 * same body twice. */
void graph_sample(GraphKind kind, int n, AbutRng *rng, Graph *graph);
void graph_free(Graph *graph);

/* A system with its own pattern and memory. */
typedef struct OwnSystem {
	AbutBlockPattern pattern;
	AbutBlockMemory memory;
	AbutBlockSystem system;
} OwnSystem;

void own_system_make(const Graph *graph, OwnSystem *out);
void own_system_free(OwnSystem *own);

/* Adds random nonsymmetric blocks to the system and to a dense matrix (column-major, followed by the right-hand sides).
 * The diagonal is `dominance` times the sum of its row; below 1 it dominates only partly. Scales the system's rows by
 * factors of up to 1e4, which does not change the solution. */
void fill_system(const Graph *graph, const AbutBlockSystem *system, double dominance, AbutRng *rng, double *dense);
