/* The benchmark's single worlds: runs of one model, timed step by step. */
#ifndef EXPERIMENTS_BENCH_WORLD_H
#define EXPERIMENTS_BENCH_WORLD_H

#include "experiments/bench/bench_parts.h"

/* Fills in `result` all but its name, after a run that is not counted unless there are steps to settle. */
AbutStatus abut_bench_world(const AbutModel *model, const AbutBenchRuns *runs, AbutBenchResult *result,
                            AbutError *error);

#endif
