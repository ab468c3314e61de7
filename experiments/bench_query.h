/* The benchmark's queries of two shapes. */
#ifndef EXPERIMENTS_BENCH_QUERY_H
#define EXPERIMENTS_BENCH_QUERY_H

#include "abut/collide.h"
#include "experiments/bench.h"

typedef enum AbutBenchQuery {
	ABUT_BENCH_QUERY_COLD,    /* exact, random poses, each from nothing */
	ABUT_BENCH_QUERY_WARM,    /* exact, b moves by a five hundredth of a metre between queries */
	ABUT_BENCH_QUERY_RELAXED, /* at kappa 1e-6, cold */
	ABUT_BENCH_QUERY_GRADIENT /* of the relaxed query, on top of it */
} AbutBenchQuery;

/* Times calls of the pair at poses drawn by `seed`, centres 0.6 to 1.6 of half the outer radii's sum apart. Fills in
 * `result` all but its name: a step is a query, iterations are Newton factorisations, or supports of polytopes. Times
 * are means over a hundred queries, which the clock can tell. */
AbutStatus abut_bench_query(const AbutShape *a, const AbutShape *b, AbutBenchQuery query, unsigned long long seed,
                            AbutBenchResult *result, AbutError *error);

#endif
