/* Batches in the benchmark: worlds of one model stepped together. */
#ifndef EXPERIMENTS_BENCH_BATCH_H
#define EXPERIMENTS_BENCH_BATCH_H

#include "experiments/bench/bench_parts.h"

/* Throws body 1 of every world at random by `seed`, then times calls of one step: `steps` calls in each of `runs` runs,
 * after an uncounted one. Fills in `result` except its name; the 99th percentile of the iterations is NaN. Times are
 * those of a call divided by the number of worlds. */
AbutStatus abut_bench_batch(const AbutModel *model, int n_worlds, int n_threads, unsigned long long seed, long steps,
                            int runs, AbutBenchResult *result, AbutError *error);

#endif
