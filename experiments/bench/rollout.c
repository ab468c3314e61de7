/* Measures the times of rollouts: plain ones, and recorded ones with the derivative of a cost of the last state. They
 * alternate, so that other work on the machine affects both. */
#include "experiments/bench/rollout.h"

#include <math.h>
#include <stdlib.h>

#include "abut/rollout.h"
#include "base/clock.h"
#include "base/error.h"

typedef struct Job {
	const AbutModel *model;
	const AbutBenchRuns *runs;
	AbutState *initial, *state;
	AbutWorkspace *workspace;
	AbutRollout *rollout;
	double *by_states, *by_start; /* derivatives of the cost, the sum of the last state's numbers */
	double plain, recorded, back; /* us, least times: plain and recorded rollout, backward pass */
} Job;

/* Takes one rollout; plain steps if `rollout` is NULL. */
static AbutStatus roll(Job *job, AbutRollout *rollout, double *time, AbutBenchResult *result)
{
	AbutRng rng = abut_rng_stream(job->runs->seed, 0);
	AbutStatus status = abut_state_copy(job->model, job->initial, job->state);
	*time = 0.0;
	for (long k = 0; k < job->runs->steps && status == ABUT_OK; k++) {
		const bool kicked = job->runs->kick_interval > 0 && k % job->runs->kick_interval == 0;
		AbutStepInfo info = {.outcome = ABUT_OUTCOME_EXACT};
		abut_bench_push(job->model, job->runs, kicked ? job->runs->kick : 0.0, &rng, job->state);
		const double begin = abut_now_us();
		status = rollout ? abut_rollout_step(rollout, job->state, job->workspace, &info)
		                 : abut_step(job->model, job->state, job->workspace, &info);
		*time += abut_now_us() - begin;
		if (rollout) {
			abut_bench_add_step(&info, result);
		}
	}
	return status;
}

static AbutStatus run_once(Job *job, AbutBenchResult *result, AbutError *error)
{
	double plain = 0.0, recorded = 0.0;
	AbutStatus status = roll(job, NULL, &plain, result);
	abut_rollout_begin(job->rollout);
	ABUT_THEN(status, roll(job, job->rollout, &recorded, result));
	if (status != ABUT_OK) {
		return abut_error_set(error, status, NULL, "a rollout's step: %s", abut_status_name(status));
	}
	const double begin = abut_now_us();
	status = abut_rollout_backward(job->rollout, job->workspace, job->by_states, job->by_start, NULL, NULL, error);
	job->back = fmin(job->back, abut_now_us() - begin);
	job->plain = fmin(job->plain, plain);
	job->recorded = fmin(job->recorded, recorded);
	return status;
}

static AbutStatus run_all(Job *job, AbutBenchResult *result, AbutError *error)
{
	AbutBenchResult warming = {.name = NULL};
	AbutStatus status = run_once(job, &warming, error);
	job->plain = job->recorded = job->back = INFINITY;
	for (int i = 0; i < job->runs->runs && status == ABUT_OK; i++) {
		status = run_once(job, result, error);
	}
	return status;
}

static void sum_up(const Job *job, AbutBenchResult *result)
{
	const double steps = (double)job->runs->steps, n = (double)result->steps;
	result->plain_time_us_mean = job->plain / steps;
	result->adjoint_time_us_mean = job->back / steps;
	result->step_time_us_mean = result->step_time_us_median = result->step_time_us_p99 =
	    (job->recorded + job->back) / steps;
	result->iterations_mean /= n;
	result->iterations_p99 = NAN;
	result->exact_share /= n;
}

static AbutStatus acquire(Job *job, int segment, AbutError *error)
{
	const int steps = (int)job->runs->steps;
	const size_t n = (size_t)abut_model_body_count(job->model), rows = ABUT_GRADIENT_ROWS * n;
	const AbutRolloutOptions options = {.capacity = steps, .segment = segment};
	job->by_states = calloc(((size_t)steps + 1) * rows, sizeof *job->by_states);
	job->by_start = calloc(rows, sizeof *job->by_start);
	if (!job->by_states || !job->by_start) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while timing a rollout");
	}
	ABUT_TRY(abut_state_create(job->model, &job->initial, error));
	ABUT_TRY(abut_state_create(job->model, &job->state, error));
	ABUT_TRY(abut_workspace_create(job->model, &job->workspace, error));
	return abut_rollout_create(job->model, &options, &job->rollout, error);
}

/* Sets the cost to the sum of all numbers of the last state. Its moving bodies follow those of all earlier states. */
static void set_cost(Job *job)
{
	size_t n_moving = 0;
	for (int i = 0; i < abut_model_body_count(job->model); i++) {
		n_moving += !abut_model_body_is_static(job->model, i);
	}
	const size_t rows = ABUT_GRADIENT_ROWS * n_moving;
	for (size_t r = 0; r < rows; r++) {
		job->by_states[(size_t)job->runs->steps * rows + r] = 1.0;
	}
}

static void release(Job *job)
{
	abut_rollout_destroy(job->rollout);
	abut_workspace_destroy(job->workspace);
	abut_state_destroy(job->state);
	abut_state_destroy(job->initial);
	free(job->by_states);
	free(job->by_start);
}

AbutStatus abut_bench_rollout(const AbutModel *model, const AbutBenchRuns *runs, int segment, AbutBenchResult *result,
                              AbutError *error)
{
	Job job = {.model = model, .runs = runs};
	AbutStatus status = acquire(&job, segment, error);
	if (status == ABUT_OK) {
		set_cost(&job);
		status = run_all(&job, result, error);
	}
	if (status == ABUT_OK) {
		sum_up(&job, result);
	}
	release(&job);
	return status;
}
