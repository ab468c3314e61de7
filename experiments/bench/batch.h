/* Measures batches in the benchmark: worlds of one model stepped together. */
#pragma once

#include "experiments/bench/bench_parts.h"

/* Throws body 1 of every world at random, by `seed`, and times `steps` calls of one step in each of `runs` runs; a
 * first run is not counted. A time is that of a call divided by the number of worlds. Fills in `result` except its
 * name; the 99th percentile of the iterations is NaN. */
AbutStatus abut_bench_batch(const AbutModel *model, int n_worlds, int n_threads, unsigned long long seed, long steps,
                            int runs, AbutBenchResult *result, AbutError *error);
