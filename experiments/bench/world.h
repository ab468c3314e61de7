/* The benchmark's single worlds: steps alone, and steps with their derivative. */
#ifndef EXPERIMENTS_BENCH_WORLD_H
#define EXPERIMENTS_BENCH_WORLD_H

#include "experiments/bench/bench_parts.h"

/* Fills in `result` all but its name, after a run that is not counted unless there are steps to settle. */
AbutStatus abut_bench_world(const AbutModel *model, const AbutBenchRuns *runs, AbutBenchResult *result,
                            AbutError *error);

/* Fills in `result` all but its name, after a run that is not counted: the derivative is that at the exact solution by
 * state and input, as a matrix. ABUT_ERROR_MEMORY; and of a step that has no derivative what abut_gradient_matrix
 * answers. */
AbutStatus abut_bench_gradient(const AbutModel *model, const AbutBenchRuns *runs, AbutBenchResult *result,
                               AbutError *error);

#endif
