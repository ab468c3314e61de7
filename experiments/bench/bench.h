/* The benchmark: fixed cases, the time and the work of a step in each. */
#ifndef EXPERIMENTS_BENCH_BENCH_H
#define EXPERIMENTS_BENCH_BENCH_H

#include <stdbool.h>

#include "abut/status.h"

enum { ABUT_BENCH_MAX = 70, ABUT_BENCH_MACHINE_SIZE = 128 };

typedef struct AbutBenchResult {
	const char *name;           /* static */
	int bodies;                 /* that move, of one world */
	long steps;                 /* timed, of all runs */
	double step_time_us_median; /* the median over the runs of each run's median; of a batch, over all calls */
	/* Over the steps of a run, each with its least time of all runs, which takes out interruptions; of a batch,
	 * over all calls. */
	double step_time_us_mean, step_time_us_p99;
	double iterations_mean, iterations_p99; /* the latter NaN of a batch */
	double exact_share;                     /* of the steps, 0 to 1 */
	/* Of steps with their derivative, as the times above are then: the mean of the same steps without it, in turn
	 * with them; NaN of other cases. */
	double plain_time_us_mean;
	/* Of rollouts that are differentiated, per step: of the way back alone; NaN of other cases. */
	double adjoint_time_us_mean;
	long retried_steps, failed_steps;
} AbutBenchResult;

int abut_bench_count(void); /* at most ABUT_BENCH_MAX */
const char *abut_bench_name(int index);
/* Whether the case is one of those that `prefix` starts, or of all when it is NULL; the largest have to be named in
 * full. */
bool abut_bench_chosen(int index, const char *prefix);
/* Runs case `index`; `seed` turns the falling bodies and kicks the towers. `error` may be NULL. */
AbutStatus abut_bench_run(int index, unsigned long long seed, AbutBenchResult *result, AbutError *error);
/* The processor's name and the number of its cores, as the system tells them. */
void abut_bench_machine(char out[ABUT_BENCH_MACHINE_SIZE]);

#endif
