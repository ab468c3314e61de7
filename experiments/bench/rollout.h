/* The benchmark's rollouts whose costs are differentiated backwards. */
#ifndef EXPERIMENTS_BENCH_ROLLOUT_H
#define EXPERIMENTS_BENCH_ROLLOUT_H

#include "experiments/bench/bench_parts.h"

/* Fills in `result` all but its name, after a rollout that is not counted. Times are those of a step in the fastest of
 * the runs: plain ones of abut_step, those of recorded steps and of the way back together, and of the way back alone.
 * `segment` as AbutRolloutOptions.segment. ABUT_ERROR_MEMORY; and of a step that has no derivative what
 * abut_rollout_backward answers. */
AbutStatus abut_bench_rollout(const AbutModel *model, const AbutBenchRuns *runs, int segment, AbutBenchResult *result,
                              AbutError *error);

#endif
