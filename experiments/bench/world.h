/* The benchmark's single worlds: runs of one model, timed step by step. */
#ifndef EXPERIMENTS_BENCH_WORLD_H
#define EXPERIMENTS_BENCH_WORLD_H

#include "abut/model.h"
#include "experiments/bench/bench.h"
#include "experiments/setting/kick.h"

typedef struct AbutBenchRuns {
	long settle; /* steps before those that are timed */
	long steps;
	int runs;          /* all the same */
	double kick;       /* m/s and rad/s: bound of the change of every moving body's velocities */
	int kick_interval; /* in steps; 0: no kicks */
	AbutKicked kicked; /* what is kicked: every moving body is alike */
	unsigned long long seed;
} AbutBenchRuns;

/* Pushes every moving body at random, by as much as changes its velocities by up to `bound` in a step. */
void abut_bench_push(const AbutModel *model, const AbutBenchRuns *runs, double bound, AbutRng *rng, AbutState *state);
/* A step more in the sums; means and shares are still to be divided by the number of steps. */
void abut_bench_add_step(const AbutStepInfo *info, AbutBenchResult *result);

/* Fills in `result` all but its name, after a run that is not counted unless there are steps to settle. */
AbutStatus abut_bench_world(const AbutModel *model, const AbutBenchRuns *runs, AbutBenchResult *result,
                            AbutError *error);

#endif
