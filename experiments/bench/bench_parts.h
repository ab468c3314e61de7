/* Defines the results of the benchmark's cases, and how single worlds are run and timed. */
#pragma once

#include "abut/model.h"
#include "experiments/setting/kick.h"

typedef struct AbutBenchResult {
	const char *name;           /* static string */
	int bodies;                 /* number of moving bodies of one world */
	long steps;                 /* number of timed steps of all runs */
	double step_time_us_median; /* median over the runs of each run's median; for a batch, median of all calls */
	/* Over the steps of a run. The time of a step is the least of all runs, which removes interruptions. For a
	 * batch: over all calls. */
	double step_time_us_mean, step_time_us_p99;
	double iterations_mean, iterations_p99; /* p99 is NaN for a batch */
	double exact_share;                     /* share of exact steps, 0 to 1 */
	/* For steps with their derivative, whose times are above: the mean time of the same steps without the
	 * derivative. Steps with and without it alternate. NaN for other cases. */
	double plain_time_us_mean;
	/* For differentiated rollouts: the time of the backward pass alone, per step. NaN for other cases. */
	double adjoint_time_us_mean;
	long retried_steps, failed_steps;
} AbutBenchResult;

typedef struct AbutBenchRuns {
	long settle; /* steps before the timed ones */
	long steps;
	int runs;          /* number of equal runs */
	double kick;       /* m/s and rad/s: bound of the change of every moving body's velocities by a kick */
	int kick_interval; /* steps between kicks; 0: no kicks */
	AbutKicked kicked; /* mass and inertia for kicks; all moving bodies are alike */
	unsigned long long seed;
} AbutBenchRuns;

/* Adds a step to the sums. Means and shares are divided by the number of steps later. */
static inline void abut_bench_add_step(const AbutStepInfo *info, AbutBenchResult *result)
{
	result->steps++;
	result->iterations_mean += info->iterations;
	result->exact_share += info->exact;
	result->retried_steps += info->retried;
	result->failed_steps += info->outcome >= ABUT_OUTCOME_RAISED_KAPPA;
}

/* Pushes every moving body at random during the next step, so that its velocities change by up to `bound`. */
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
