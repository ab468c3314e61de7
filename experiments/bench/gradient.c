/* Times of steps with and without their derivative: two worlds that move alike, to the bit, in turn. */
#include "experiments/bench/gradient.h"

#include <stdlib.h>

#include "abut/gradient.h"
#include "base/clock.h"
#include "base/error.h"
#include "experiments/bench/times.h"

/* One of the two worlds. */
typedef struct World {
	AbutState *state;
	AbutWorkspace *workspace;
	AbutGradient *gradient; /* NULL: steps alone */
	AbutBenchTimes times;
} World;

typedef struct Job {
	const AbutModel *model;
	const AbutBenchRuns *runs;
	AbutState *initial;
	World worlds[2]; /* plain, and with the derivative */
	double *matrix;  /* of the derivative */
} Job;

static AbutStatus take_step(const Job *job, World *world, AbutStepInfo *info, AbutError *error)
{
	if (!world->gradient) {
		return abut_step(job->model, world->state, world->workspace, info);
	}
	const AbutStatus status =
	    abut_step_differentiate(job->model, world->state, world->workspace, world->gradient, info);
	return status == ABUT_OK ? abut_gradient_matrix(world->gradient, job->matrix, error) : status;
}

/* Step k of both worlds, either first in every other step. */
static AbutStatus step_both(Job *job, AbutRng *rng, long k, AbutBenchResult *result, AbutError *error)
{
	const bool kicked = job->runs->kick_interval > 0 && k % job->runs->kick_interval == 0;
	AbutStatus status = ABUT_OK;
	const AbutRng before = *rng;
	for (int i = 0; i < 2 && status == ABUT_OK; i++) {
		World *world = &job->worlds[(i + k) % 2];
		AbutStepInfo info = {.outcome = ABUT_OUTCOME_EXACT};
		*rng = before;
		abut_bench_push(job->model, job->runs, kicked ? job->runs->kick : 0.0, rng, world->state);
		const double begin = abut_now_us();
		status = take_step(job, world, &info, error);
		abut_bench_times_keep(&world->times, k, abut_now_us() - begin, &info);
		if (world->gradient) {
			abut_bench_add_step(&info, result);
		}
	}
	return status;
}

static AbutStatus run_once(Job *job, AbutBenchResult *result, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	AbutRng rng = abut_rng_stream(job->runs->seed, 0);
	for (int i = 0; i < 2 && status == ABUT_OK; i++) {
		status = abut_state_copy(job->model, job->initial, job->worlds[i].state);
	}
	for (long k = 0; k < job->runs->steps && status == ABUT_OK; k++) {
		status = step_both(job, &rng, k, result, error);
	}
	return status;
}

static AbutStatus run_all(Job *job, AbutBenchResult *result, AbutError *error)
{
	AbutBenchResult warming = {.name = NULL};
	AbutStatus status = run_once(job, &warming, error);
	for (int i = 0; i < 2; i++) {
		abut_bench_times_restart(&job->worlds[i].times);
	}
	for (int i = 0; i < job->runs->runs && status == ABUT_OK; i++) {
		status = run_once(job, result, error);
		abut_bench_times_end_run(&job->worlds[1].times);
	}
	return status;
}

static AbutStatus open_world(const Job *job, bool with_gradient, World *world, AbutError *error)
{
	AbutStatus status = abut_bench_times_open(&world->times, job->runs, error);
	ABUT_THEN(status, abut_state_create(job->model, &world->state, error));
	ABUT_THEN(status, abut_workspace_create(job->model, &world->workspace, error));
	return status == ABUT_OK && with_gradient ? abut_gradient_create(job->model, 0.0, &world->gradient, error)
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
		status = open_world(job, i == 1, &job->worlds[i], error);
	}
	return status;
}

static void release(Job *job)
{
	for (int i = 0; i < 2; i++) {
		abut_gradient_destroy(job->worlds[i].gradient);
		abut_workspace_destroy(job->worlds[i].workspace);
		abut_state_destroy(job->worlds[i].state);
		abut_bench_times_close(&job->worlds[i].times);
	}
	abut_state_destroy(job->initial);
	free(job->matrix);
}

AbutStatus abut_bench_gradient(const AbutModel *model, const AbutBenchRuns *runs, AbutBenchResult *result,
                               AbutError *error)
{
	Job job = {.model = model, .runs = runs};
	AbutStatus status = acquire(&job, error);
	ABUT_THEN(status, run_all(&job, result, error));
	if (status == ABUT_OK) {
		result->plain_time_us_mean = abut_bench_times_mean(&job.worlds[0].times);
		abut_bench_times_sum_up(&job.worlds[1].times, result);
	}
	release(&job);
	return status;
}
