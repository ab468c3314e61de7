/* Measures the time of the derivative of a step of method lcp, analytic or by finite differences. */
#include "experiments/bench/jacobian.h"

#include <stdlib.h>
#include <string.h>

#include "abut/lcp.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/vec3.h"
#include "experiments/bench/times.h"

enum { ROWS = ABUT_LCP_ROWS, COLUMNS = ABUT_LCP_COLUMNS };

typedef struct Job {
	const AbutModel *model;
	AbutState *initial, *state, *probe;
	AbutWorkspace *workspace;
	int n;                       /* number of moving bodies */
	double *matrix, *low, *high; /* (ROWS n x COLUMNS n); (ROWS n) results on both sides */
	AbutBenchTimes times;
} Job;

/* Sets `probe` to the state before the step, with one column of a body changed. */
static void change(const Job *job, int body, int column, double by)
{
	double input[6] = {0.0};
	AbutBodyState at;
	abut_state_copy(job->model, job->state, job->probe);
	abut_state_get_body(job->model, job->probe, body, &at);
	if (column >= ABUT_LCP_FORCE) {
		input[column - ABUT_LCP_FORCE] = by;
		abut_state_set_input(job->model, job->probe, body, input, input + 3);
		return;
	}
	if (column >= ABUT_LCP_ANGULAR) {
		at.angular_velocity[column - ABUT_LCP_ANGULAR] += by;
	} else if (column >= ABUT_LCP_LINEAR) {
		at.linear_velocity[column - ABUT_LCP_LINEAR] += by;
	} else if (column >= ABUT_LCP_ROTATION) {
		double turn[4] = {1.0, 0.0, 0.0, 0.0}, q[4];
		turn[1 + column - ABUT_LCP_ROTATION] = 0.5 * by;
		abut_quat_mul(at.orientation, turn, q);
		abut_quat_normalise(q);
		memcpy(at.orientation, q, 4 * sizeof(double));
	} else {
		at.position[column] += by;
	}
	abut_state_set_body(job->model, job->probe, body, &at);
}

/* Steps `probe` and writes the resulting state, with orientations relative to those before the step. */
static void step_probe(const Job *job, double *out)
{
	AbutStepInfo info = {.outcome = ABUT_OUTCOME_EXACT};
	abut_step(job->model, job->probe, job->workspace, &info);
	for (int body = 0, row = 0; body < abut_model_body_count(job->model); body++) {
		AbutBodyState before, after;
		double turn[4];
		if (abut_model_body_is_static(job->model, body)) {
			continue;
		}
		abut_state_get_body(job->model, job->state, body, &before);
		abut_state_get_body(job->model, job->probe, body, &after);
		const double *q = before.orientation, back[4] = {q[0], -q[1], -q[2], -q[3]};
		abut_quat_mul(back, after.orientation, turn);
		for (int k = 0; k < 3; k++) {
			out[row + ABUT_LCP_POSITION + k] = after.position[k];
			out[row + ABUT_LCP_ROTATION + k] = 2.0 * turn[1 + k] / turn[0];
			out[row + ABUT_LCP_LINEAR + k] = after.linear_velocity[k];
			out[row + ABUT_LCP_ANGULAR + k] = after.angular_velocity[k];
		}
		row += ROWS;
	}
}

static void difference(Job *job)
{
	static const double step = 1e-6;
	const size_t width = (size_t)COLUMNS * (size_t)job->n;
	size_t first = 0;
	for (int body = 0; body < abut_model_body_count(job->model); body++) {
		if (abut_model_body_is_static(job->model, body)) {
			continue;
		}
		for (int column = 0; column < ABUT_LCP_MASS; column++) {
			change(job, body, column, -step);
			step_probe(job, job->low);
			change(job, body, column, step);
			step_probe(job, job->high);
			for (int r = 0; r < ROWS * job->n; r++) {
				job->matrix[(size_t)r * width + first + (size_t)column] =
				    (job->high[r] - job->low[r]) / (2.0 * step);
			}
		}
		first += COLUMNS;
	}
}

static AbutStatus run_once(Job *job, const AbutBenchRuns *runs, bool by_differences, AbutBenchResult *result,
                           AbutError *error)
{
	AbutStatus status = abut_state_copy(job->model, job->initial, job->state);
	for (long k = 0; k < runs->steps && status == ABUT_OK; k++) {
		AbutStepInfo info = {.outcome = ABUT_OUTCOME_EXACT};
		const double begin = abut_now_us();
		if (by_differences) {
			difference(job);
		}
		double time = abut_now_us() - begin;
		status = abut_step(job->model, job->state, job->workspace, &info);
		if (!by_differences && status == ABUT_OK) {
			status = abut_lcp_gradient(job->model, job->workspace, job->matrix, error);
			time = abut_now_us() - begin;
		}
		abut_bench_times_keep(&job->times, k, time, &info);
		abut_bench_add_step(&info, result);
	}
	return status;
}

static AbutStatus run_all(Job *job, const AbutBenchRuns *runs, bool by_differences, AbutBenchResult *result,
                          AbutError *error)
{
	AbutBenchResult warming = {.name = NULL};
	AbutStatus status = run_once(job, runs, by_differences, &warming, error);
	abut_bench_times_restart(&job->times);
	for (int i = 0; i < runs->runs && status == ABUT_OK; i++) {
		status = run_once(job, runs, by_differences, result, error);
		abut_bench_times_end_run(&job->times);
	}
	if (status == ABUT_OK) {
		abut_bench_times_sum_up(&job->times, result);
	}
	return status;
}

static AbutStatus acquire(Job *job, const AbutBenchRuns *runs, AbutError *error)
{
	job->n = abut_lcp_gradient_bodies(job->model);
	const size_t rows = (size_t)ROWS * (size_t)job->n, columns = (size_t)COLUMNS * (size_t)job->n;
	job->matrix = calloc(rows * columns, sizeof *job->matrix);
	job->low = calloc(2 * rows, sizeof *job->low);
	if (!job->matrix || !job->low) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while timing derivatives");
	}
	job->high = job->low + rows;
	AbutState **const states[] = {&job->initial, &job->state, &job->probe};
	AbutStatus status = abut_bench_times_open(&job->times, runs, error);
	ABUT_THEN(status, abut_workspace_create(job->model, &job->workspace, error));
	for (int i = 0; i < 3 && status == ABUT_OK; i++) {
		status = abut_state_create(job->model, states[i], error);
	}
	return status;
}

static void release(Job *job)
{
	abut_workspace_destroy(job->workspace);
	abut_state_destroy(job->probe);
	abut_state_destroy(job->state);
	abut_state_destroy(job->initial);
	abut_bench_times_close(&job->times);
	free(job->low);
	free(job->matrix);
}

AbutStatus abut_bench_jacobian(const AbutModel *model, const AbutBenchRuns *runs, bool by_differences,
                               AbutBenchResult *result, AbutError *error)
{
	Job job = {.model = model};
	AbutStatus status = acquire(&job, runs, error);
	ABUT_THEN(status, run_all(&job, runs, by_differences, result, error));
	release(&job);
	return status;
}
