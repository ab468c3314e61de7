/* Random graphs of bodies for the tests of block systems, and systems over them. */
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

/* The numbers 0 to n - 1 in random order. */
void shuffle(AbutRng *rng, int n, int *names);
/* Bodies numbered at random; some pairs come twice or reversed, some with a static partner or with both the same. */
void graph_sample(GraphKind kind, int n, AbutRng *rng, Graph *graph);
void graph_free(Graph *graph);

/* A system with a pattern and memory of its own. */
typedef struct OwnSystem {
	AbutBlockPattern pattern;
	AbutBlockMemory memory;
	AbutBlockSystem system;
} OwnSystem;

void own_system_make(const Graph *graph, OwnSystem *out);
void own_system_free(OwnSystem *own);

/* Random nonsymmetric blocks, added to the system and to a dense matrix (column-major, right-hand sides behind it). The
 * diagonal is `dominance` times the sum of its row, below 1 only partly dominant. The system's rows differ in size by
 * up to 1e4 besides, which changes no solution. */
void fill_system(const Graph *graph, const AbutBlockSystem *system, double dominance, AbutRng *rng, double *dense);
