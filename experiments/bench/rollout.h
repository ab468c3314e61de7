/* Measures rollouts whose cost is differentiated backwards. */
#pragma once

#include "experiments/bench/bench_parts.h"

/* Times rollouts per step, in the fastest run: plain steps by abut_step, recorded steps with the backward pass, and the
 * backward pass alone. A first rollout is not counted. `segment` is AbutRolloutOptions.segment. Fills in `result`
 * except its name. Returns ABUT_ERROR_MEMORY, or the status of abut_rollout_backward for a step without a derivative.
 */
AbutStatus abut_bench_rollout(const AbutModel *model, const AbutBenchRuns *runs, int segment, AbutBenchResult *result,
                              AbutError *error);
