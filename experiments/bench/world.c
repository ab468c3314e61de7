/* Times of a single world. */
#include "experiments/bench/world.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/sort.h"

typedef struct World {
	AbutState *initial, *state;
	AbutWorkspace *workspace;
	double *times;      /* us [steps] of the present run */
	double *least;      /* us [steps], over the runs */
	double *iterations; /* [steps], the same in every run */
	double *medians;    /* us [runs] */
} World;

void abut_bench_add_step(const AbutStepInfo *info, AbutBenchResult *result)
{
	result->steps++;
	result->iterations_mean += info->iterations;
	result->exact_share += info->exact;
	result->retried_steps += info->retried;
	result->failed_steps += info->outcome >= ABUT_OUTCOME_RAISED_KAPPA;
}

void abut_bench_push(const AbutModel *model, const AbutBenchRuns *runs, double bound, AbutRng *rng, AbutState *state)
{
	for (int i = 0; i < abut_model_body_count(model); i++) {
		double force[3], torque[3];
		if (!abut_model_body_is_static(model, i)) {
			abut_kick(&runs->kicked, bound, abut_model_timestep(model), rng, force, torque);
			abut_state_set_input(model, state, i, force, torque);
		}
	}
}

static void count(const AbutStepInfo *info, AbutBenchResult *result)
{
	result->steps++;
	result->iterations_mean += info->iterations;
	result->exact_share += info->exact;
	result->retried_steps += info->retried;
	result->failed_steps += info->outcome >= ABUT_OUTCOME_RAISED_KAPPA;
}

static void run_once(const AbutModel *model, const AbutBenchRuns *runs, World *world, AbutBenchResult *result)
{
	AbutStepInfo info = {.outcome = ABUT_OUTCOME_EXACT};
	AbutRng rng = abut_rng_stream(runs->seed, 0);
	abut_state_copy(model, world->initial, world->state);
	for (long k = -runs->settle; k < runs->steps; k++) {
		const bool kicked = k >= 0 && runs->kick_interval > 0 && k % runs->kick_interval == 0;
		if (kicked) {
			abut_bench_push(model, runs, runs->kick, &rng, world->state);
		}
		const double begin = abut_now_us();
		abut_step(model, world->state, world->workspace, &info);
		const double time = abut_now_us() - begin;
		if (kicked) {
			abut_bench_push(model, runs, 0.0, &rng, world->state);
		}
		if (k >= 0) {
			world->times[k] = time;
			world->iterations[k] = info.iterations;
			count(&info, result);
		}
	}
}

static void sum_up(const AbutBenchRuns *runs, World *world, AbutBenchResult *result)
{
	const double n = (double)result->steps;
	const long last = (99 * runs->steps) / 100;
	abut_sort_numbers(world->medians, (size_t)runs->runs);
	abut_sort_numbers(world->least, (size_t)runs->steps);
	abut_sort_numbers(world->iterations, (size_t)runs->steps);
	for (long k = 0; k < runs->steps; k++) {
		result->step_time_us_mean += world->least[k] / (double)runs->steps;
	}
	result->step_time_us_median = world->medians[runs->runs / 2];
	result->step_time_us_p99 = world->least[last];
	result->iterations_p99 = world->iterations[last];
	result->iterations_mean /= n;
	result->exact_share /= n;
}

static void run_all(const AbutModel *model, const AbutBenchRuns *runs, World *world, AbutBenchResult *result)
{
	AbutBenchResult warming = {.name = NULL};
	for (long k = 0; k < runs->steps; k++) {
		world->least[k] = INFINITY;
	}
	if (runs->settle == 0) {
		run_once(model, runs, world, &warming);
	}
	for (int i = 0; i < runs->runs; i++) {
		run_once(model, runs, world, result);
		for (long k = 0; k < runs->steps; k++) {
			world->least[k] = fmin(world->least[k], world->times[k]);
		}
		abut_sort_numbers(world->times, (size_t)runs->steps);
		world->medians[i] = world->times[runs->steps / 2];
	}
	sum_up(runs, world, result);
}

static AbutStatus acquire(const AbutModel *model, const AbutBenchRuns *runs, World *world, AbutError *error)
{
	const size_t n = (size_t)runs->steps;
	world->times = calloc(n, sizeof *world->times);
	world->least = calloc(n, sizeof *world->least);
	world->iterations = calloc(n, sizeof *world->iterations);
	world->medians = calloc((size_t)runs->runs, sizeof *world->medians);
	if (!world->times || !world->least || !world->iterations || !world->medians) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while timing a world");
	}
	AbutStatus status = abut_state_create(model, &world->initial, error);
	if (status == ABUT_OK) {
		status = abut_state_create(model, &world->state, error);
	}
	return status == ABUT_OK ? abut_workspace_create(model, &world->workspace, error) : status;
}

static void release(World *world)
{
	abut_workspace_destroy(world->workspace);
	abut_state_destroy(world->state);
	abut_state_destroy(world->initial);
	free(world->medians);
	free(world->iterations);
	free(world->least);
	free(world->times);
}

AbutStatus abut_bench_world(const AbutModel *model, const AbutBenchRuns *runs, AbutBenchResult *result,
                            AbutError *error)
{
	World world = {NULL};
	const AbutStatus status = acquire(model, runs, &world, error);
	if (status == ABUT_OK) {
		run_all(model, runs, &world, result);
	}
	release(&world);
	return status;
}
