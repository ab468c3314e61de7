/* The benchmark's derivatives of steps of method lcp, analytic and by differences. */
#ifndef EXPERIMENTS_BENCH_JACOBIAN_H
#define EXPERIMENTS_BENCH_JACOBIAN_H

#include "experiments/bench/bench_parts.h"

/* Fills in `result` all but its name, after a run that is not counted: times of a step with its derivative by state and
 * input, or (`by_differences`) of the central differences of steps that give the same. Bodies have no inputs of their
 * own. ABUT_ERROR_MEMORY; and what abut_lcp_gradient answers. */
AbutStatus abut_bench_jacobian(const AbutModel *model, const AbutBenchRuns *runs, bool by_differences,
                               AbutBenchResult *result, AbutError *error);

#endif
