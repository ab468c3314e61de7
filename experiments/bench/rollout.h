/* Rollouts of the benchmark whose cost is differentiated backwards. */
#ifndef EXPERIMENTS_BENCH_ROLLOUT_H
#define EXPERIMENTS_BENCH_ROLLOUT_H

#include "experiments/bench/bench_parts.h"

/* Fills in `result` except its name, after an uncounted rollout. Times are per step, in the fastest run: of plain steps
 * by abut_step, of recorded steps with the backward pass, and of the backward pass alone. `segment` is
 * AbutRolloutOptions.segment. Returns ABUT_ERROR_MEMORY, or the status of abut_rollout_backward for a step without a
 * derivative. */
AbutStatus abut_bench_rollout(const AbutModel *model, const AbutBenchRuns *runs, int segment, AbutBenchResult *result,
                              AbutError *error);

#endif
