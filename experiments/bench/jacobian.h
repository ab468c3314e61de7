/* Derivatives of steps of method lcp in the benchmark, analytic and by finite differences. */
#ifndef EXPERIMENTS_BENCH_JACOBIAN_H
#define EXPERIMENTS_BENCH_JACOBIAN_H

#include "experiments/bench/bench_parts.h"

/* Fills in `result` except its name, after an uncounted run: times of a step with its derivative by state and input, or
 * (`by_differences`) of central differences of steps that give the same derivative. Bodies have no inputs of their own.
 * Returns ABUT_ERROR_MEMORY, or the status of abut_lcp_gradient. */
AbutStatus abut_bench_jacobian(const AbutModel *model, const AbutBenchRuns *runs, bool by_differences,
                               AbutBenchResult *result, AbutError *error);

#endif
