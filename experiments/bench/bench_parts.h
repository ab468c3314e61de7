/* The results of the benchmark's cases, and how single worlds are run and timed. */
#ifndef EXPERIMENTS_BENCH_BENCH_PARTS_H
#define EXPERIMENTS_BENCH_BENCH_PARTS_H

#include "abut/model.h"
#include "experiments/setting/kick.h"

typedef struct AbutBenchResult {
	const char *name;           /* static */
	int bodies;                 /* moving bodies of one world */
	long steps;                 /* timed steps of all runs */
	double step_time_us_median; /* the median over the runs of each run's median; of a batch, over all calls */
	/* Over the steps of a run, each with its least time of all runs, which removes interruptions; of a batch, over
	 * all calls. */
	double step_time_us_mean, step_time_us_p99;
	double iterations_mean, iterations_p99; /* the latter is NaN for a batch */
	double exact_share;                     /* of the steps, 0 to 1 */
	/* For steps with their derivative, whose times are the ones above: the mean time of the same steps without it,
	 * taken in turn with them; NaN for other cases. */
	double plain_time_us_mean;
	/* For differentiated rollouts, per step: the time of the backward pass alone; NaN for other cases. */
	double adjoint_time_us_mean;
	long retried_steps, failed_steps;
} AbutBenchResult;

typedef struct AbutBenchRuns {
	long settle; /* steps before the timed ones */
	long steps;
	int runs;          /* all the same */
	double kick;       /* m/s and rad/s: bound of the change of every moving body's velocities */
	int kick_interval; /* in steps; 0: no kicks */
	AbutKicked kicked; /* what is kicked: every moving body is alike */
	unsigned long long seed;
} AbutBenchRuns;

/* Adds a step to the sums; means and shares are still to be divided by the number of steps. */
static inline void abut_bench_add_step(const AbutStepInfo *info, AbutBenchResult *result)
{
	result->steps++;
	result->iterations_mean += info->iterations;
	result->exact_share += info->exact;
	result->retried_steps += info->retried;
	result->failed_steps += info->outcome >= ABUT_OUTCOME_RAISED_KAPPA;
}

/* Pushes every moving body at random, by as much as changes its velocities by up to `bound` in a step. */
static inline void abut_bench_push(const AbutModel *model, const AbutBenchRuns *runs, double bound, AbutRng *rng,
                                   AbutState *state)
{
	for (int i = 0; i < abut_model_body_count(model); i++) {
		double force[3], torque[3];
		if (!abut_model_body_is_static(model, i)) {
			abut_kick(&runs->kicked, bound, abut_model_timestep(model), rng, force, torque);
			abut_state_set_input(model, state, i, force, torque);
		}
	}
}

#endif
