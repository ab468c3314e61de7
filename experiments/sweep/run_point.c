#include "experiments/sweep/run_point.h"

#include <stdio.h>

#include "base/clock.h"
#include "experiments/sweep/grid.h"

/* Everything that a run holds; all of it may be NULL. */
typedef struct Job {
	AbutScene *scene;
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
} Job;

static void close_job(Job *job)
{
	abut_workspace_destroy(job->workspace);
	abut_state_destroy(job->state);
	abut_model_destroy(job->model);
	abut_scene_destroy(job->scene);
}

static AbutStatus open_scene(const AbutSweep *sweep, long run, AbutScene **scene, AbutError *error)
{
	AbutSweepPoint point;
	AbutStatus status = abut_sweep_point_of_run(sweep, run, &point, error);
	if (status == ABUT_OK) {
		status = abut_sweep_point_scene(&point, scene, error);
		abut_sweep_point_free(&point);
	}
	return status;
}

static AbutStatus open_job(const AbutSweep *sweep, long run, pthread_mutex_t *text, Job *job, AbutError *error)
{
	pthread_mutex_lock(text);
	AbutStatus status = open_scene(sweep, run, &job->scene, error);
	pthread_mutex_unlock(text);
	if (status == ABUT_OK) {
		status = abut_model_create(abut_scene_def(job->scene), &job->model, error);
	}
	if (status == ABUT_OK) {
		status = abut_state_create(job->model, &job->state, error);
	}
	if (status == ABUT_OK) {
		status = abut_workspace_create(job->model, &job->workspace, error);
	}
	return status;
}

/* On one line, without what would break a table. */
static void set_message(AbutSweepResult *result, const char *where, const char *message)
{
	snprintf(result->message, sizeof result->message, "%s%s%s", where, where[0] ? ": " : "", message);
	for (char *c = result->message; *c; c++) {
		*c = (char)((unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c);
	}
}

static AbutStatus simulate(const Job *job, double stands_within, AbutSweepResult *result, AbutError *error)
{
	AbutSweepObservation observation;
	AbutStatus status =
	    abut_sweep_observation_begin(job->model, job->state, stands_within, &result->measures, &observation, error);
	if (status != ABUT_OK) {
		return status;
	}
	const AbutRunObserver observer = {abut_sweep_observe, &observation, false};
	status = abut_run(job->model, job->state, job->workspace, abut_run_steps(abut_scene_def(job->scene)), &observer,
	                  1, &result->summary, error);
	abut_sweep_observation_end(&observation);
	if (status == ABUT_OK) {
		result->outcome = result->summary.failed_steps > 0 ? ABUT_RUN_FAILED : ABUT_RUN_DONE;
		result->state_digest = abut_sweep_state_digest(job->model, job->state);
		set_message(result, "", result->summary.failure);
	}
	return status;
}

AbutStatus abut_sweep_run_point(const AbutSweep *sweep, long run, pthread_mutex_t *text, AbutSweepResult *result,
                                AbutError *error)
{
	Job job = {NULL};
	const double start = abut_now_us();
	*result = (AbutSweepResult){.outcome = ABUT_RUN_DONE};
	AbutStatus status = open_job(sweep, run, text, &job, error);
	result->setup_time_s = 1e-6 * (abut_now_us() - start);
	if (status == ABUT_OK) {
		status = simulate(&job, sweep->stands_within, result, error);
	}
	close_job(&job);
	if (status == ABUT_OK || status == ABUT_ERROR_MEMORY) {
		return status;
	}
	*result = (AbutSweepResult){.outcome = ABUT_RUN_REFUSED};
	set_message(result, error->where, error->message);
	return ABUT_OK;
}
