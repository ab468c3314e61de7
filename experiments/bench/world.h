/* Single worlds in the benchmark: steps alone, and steps with their derivative. */
#ifndef EXPERIMENTS_BENCH_WORLD_H
#define EXPERIMENTS_BENCH_WORLD_H

#include "experiments/bench/bench_parts.h"

/* Fills in `result` except its name, after an uncounted run unless there are steps to settle. */
AbutStatus abut_bench_world(const AbutModel *model, const AbutBenchRuns *runs, AbutBenchResult *result,
                            AbutError *error);

/* Fills in `result` except its name, after an uncounted run. The derivative is the matrix by state and input at the
 * exact solution. Returns ABUT_ERROR_MEMORY, or the status of abut_gradient_matrix for a step without a derivative. */
AbutStatus abut_bench_gradient(const AbutModel *model, const AbutBenchRuns *runs, AbutBenchResult *result,
                               AbutError *error);

#endif
