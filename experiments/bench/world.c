/* Measures the step times of a single world. For the cost of derivatives, steps with and without the derivative
 * alternate in two worlds with bit-identical motions. */
#include "experiments/bench/world.h"

#include <stdlib.h>

#include "abut/gradient.h"
#include "base/clock.h"
#include "base/error.h"
#include "experiments/bench/times.h"

typedef struct World {
	AbutState *initial, *state;
	AbutWorkspace *workspace;
	AbutBenchTimes times;
} World;

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
			abut_bench_times_keep(&world->times, k, time, &info);
			abut_bench_add_step(&info, result);
		}
	}
}

static void run_all(const AbutModel *model, const AbutBenchRuns *runs, World *world, AbutBenchResult *result)
{
	AbutBenchResult warming = {.name = NULL};
	if (runs->settle == 0) {
		run_once(model, runs, world, &warming);
		abut_bench_times_restart(&world->times);
	}
	for (int i = 0; i < runs->runs; i++) {
		run_once(model, runs, world, result);
		abut_bench_times_end_run(&world->times);
	}
	abut_bench_times_sum_up(&world->times, result);
}

AbutStatus abut_bench_world(const AbutModel *model, const AbutBenchRuns *runs, AbutBenchResult *result,
                            AbutError *error)
{
	World world = {NULL};
	AbutStatus status = abut_bench_times_open(&world.times, runs, error);
	ABUT_THEN(status, abut_state_create(model, &world.initial, error));
	ABUT_THEN(status, abut_state_create(model, &world.state, error));
	ABUT_THEN(status, abut_workspace_create(model, &world.workspace, error));
	if (status == ABUT_OK) {
		run_all(model, runs, &world, result);
	}
	abut_workspace_destroy(world.workspace);
	abut_state_destroy(world.state);
	abut_state_destroy(world.initial);
	abut_bench_times_close(&world.times);
	return status;
}

/* --- with the derivative --- */

/* One of two worlds with the same motion. */
typedef struct Twin {
	AbutState *state;
	AbutWorkspace *workspace;
	AbutGradient *gradient; /* NULL: no derivative */
	AbutBenchTimes times;
} Twin;

typedef struct Job {
	const AbutModel *model;
	const AbutBenchRuns *runs;
	AbutState *initial;
	Twin twins[2];  /* without and with the derivative */
	double *matrix; /* the derivative */
} Job;

static AbutStatus take_step(const Job *job, Twin *twin, AbutStepInfo *info, AbutError *error)
{
	if (!twin->gradient) {
		return abut_step(job->model, twin->state, twin->workspace, info);
	}
	const AbutStatus status =
	    abut_step_differentiate(job->model, twin->state, twin->workspace, twin->gradient, info);
	return status == ABUT_OK ? abut_gradient_matrix(twin->gradient, job->matrix, error) : status;
}

/* Takes step k in both worlds. The order alternates from step to step. */
static AbutStatus step_both(Job *job, AbutRng *rng, long k, AbutBenchResult *result, AbutError *error)
{
	const bool kicked = job->runs->kick_interval > 0 && k % job->runs->kick_interval == 0;
	AbutStatus status = ABUT_OK;
	const AbutRng before = *rng;
	for (int i = 0; i < 2 && status == ABUT_OK; i++) {
		Twin *twin = &job->twins[(i + k) % 2];
		AbutStepInfo info = {.outcome = ABUT_OUTCOME_EXACT};
		*rng = before;
		abut_bench_push(job->model, job->runs, kicked ? job->runs->kick : 0.0, rng, twin->state);
		const double begin = abut_now_us();
		status = take_step(job, twin, &info, error);
		abut_bench_times_keep(&twin->times, k, abut_now_us() - begin, &info);
		if (twin->gradient) {
			abut_bench_add_step(&info, result);
		}
	}
	return status;
}

static AbutStatus run_both(Job *job, AbutBenchResult *result, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	AbutRng rng = abut_rng_stream(job->runs->seed, 0);
	for (int i = 0; i < 2 && status == ABUT_OK; i++) {
		status = abut_state_copy(job->model, job->initial, job->twins[i].state);
	}
	for (long k = 0; k < job->runs->steps && status == ABUT_OK; k++) {
		status = step_both(job, &rng, k, result, error);
	}
	return status;
}

static AbutStatus repeat(Job *job, AbutBenchResult *result, AbutError *error)
{
	AbutBenchResult warming = {.name = NULL};
	AbutStatus status = run_both(job, &warming, error);
	for (int i = 0; i < 2; i++) {
		abut_bench_times_restart(&job->twins[i].times);
	}
	for (int i = 0; i < job->runs->runs && status == ABUT_OK; i++) {
		status = run_both(job, result, error);
		abut_bench_times_end_run(&job->twins[1].times);
	}
	return status;
}

static AbutStatus open_twin(const Job *job, bool with_gradient, Twin *twin, AbutError *error)
{
	AbutStatus status = abut_bench_times_open(&twin->times, job->runs, error);
	ABUT_THEN(status, abut_state_create(job->model, &twin->state, error));
	ABUT_THEN(status, abut_workspace_create(job->model, &twin->workspace, error));
	return status == ABUT_OK && with_gradient ? abut_gradient_create(job->model, 0.0, &twin->gradient, error)
	                                          : status;
}

static AbutStatus acquire(Job *job, AbutError *error)
{
	const size_t n = (size_t)abut_model_body_count(job->model);
	job->matrix = calloc(ABUT_GRADIENT_ROWS * n * ABUT_GRADIENT_COLUMNS * n, sizeof *job->matrix);
	if (!job->matrix) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while timing a world");
	}
	AbutStatus status = abut_state_create(job->model, &job->initial, error);
	for (int i = 0; i < 2 && status == ABUT_OK; i++) {
		status = open_twin(job, i == 1, &job->twins[i], error);
	}
	return status;
}

static void release(Job *job)
{
	for (int i = 0; i < 2; i++) {
		abut_gradient_destroy(job->twins[i].gradient);
		abut_workspace_destroy(job->twins[i].workspace);
		abut_state_destroy(job->twins[i].state);
		abut_bench_times_close(&job->twins[i].times);
	}
	abut_state_destroy(job->initial);
	free(job->matrix);
}

AbutStatus abut_bench_gradient(const AbutModel *model, const AbutBenchRuns *runs, AbutBenchResult *result,
                               AbutError *error)
{
	Job job = {.model = model, .runs = runs};
	AbutStatus status = acquire(&job, error);
	ABUT_THEN(status, repeat(&job, result, error));
	if (status == ABUT_OK) {
		result->plain_time_us_mean = abut_bench_times_mean(&job.twins[0].times);
		abut_bench_times_sum_up(&job.twins[1].times, result);
	}
	release(&job);
	return status;
}
