/* Makes the runs of one process on its threads. */
#include "experiments/sweep/work.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/thread_pool.h"
#include "experiments/setting/world.h"
#include "experiments/sweep/folder.h"
#include "experiments/sweep/grid.h"

/* --- one run --- */

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

static AbutStatus open_world(const AbutSweep *sweep, long run, pthread_mutex_t *text, AbutScene **scene,
                             AbutWorld *world, AbutError *error)
{
	pthread_mutex_lock(text);
	const AbutStatus status = open_scene(sweep, run, scene, error);
	pthread_mutex_unlock(text);
	return status == ABUT_OK ? abut_world_open(world, abut_scene_def(*scene), error) : status;
}

/* Sets the message, on one line without control characters. */
static void set_message(AbutSweepResult *result, const char *where, const char *message)
{
	snprintf(result->message, sizeof result->message, "%s%s%s", where, where[0] ? ": " : "", message);
	for (char *c = result->message; *c; c++) {
		*c = (char)((unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c);
	}
}

static AbutStatus simulate(const AbutScene *scene, const AbutWorld *world, double stands_within,
                           AbutSweepResult *result, AbutError *error)
{
	AbutSweepObservation observation;
	ABUT_TRY(abut_sweep_observation_begin(world->model, world->state, stands_within, &result->measures,
	                                      &observation, error));
	const AbutRunObserver observer = {abut_sweep_observe, &observation, false};
	AbutStatus status = abut_run(world->model, world->state, world->workspace,
	                             abut_run_steps(abut_scene_def(scene)), &observer, 1, &result->summary, error);
	abut_sweep_observation_end(&observation);
	if (status == ABUT_OK) {
		result->outcome = result->summary.failed_steps > 0 ? ABUT_RUN_FAILED : ABUT_RUN_DONE;
		result->state_digest = abut_sweep_state_digest(world->model, world->state);
		set_message(result, "", result->summary.failure);
	}
	return status;
}

/* Makes one run and computes its result. `text` is locked while the scene is read, because cJSON and the C library's
 * locale use static data. Any status but ABUT_OK is a failure of the machine, not of the run. */
static AbutStatus run_point(const AbutSweep *sweep, long run, pthread_mutex_t *text, AbutSweepResult *result,
                            AbutError *error)
{
	AbutScene *scene = NULL;
	AbutWorld world = {NULL};
	const double start = abut_now_us();
	*result = (AbutSweepResult){.outcome = ABUT_RUN_DONE};
	AbutStatus status = open_world(sweep, run, text, &scene, &world, error);
	result->setup_time_s = 1e-6 * (abut_now_us() - start);
	ABUT_THEN(status, simulate(scene, &world, sweep->stands_within, result, error));
	abut_world_close(&world);
	abut_scene_destroy(scene);
	if (status == ABUT_OK || abut_is_of_system(status)) {
		return status;
	}
	*result = (AbutSweepResult){.outcome = ABUT_RUN_REFUSED};
	set_message(result, error->where, error->message);
	return ABUT_OK;
}

/* --- all runs --- */

typedef struct Work {
	const AbutSweep *sweep;
	const AbutSweepOptions *options;
	const long *runs;
	AbutSweepRecorder recorder;
	atomic_bool stopped;   /* after an error */
	pthread_mutex_t mutex; /* locked while reading scenes and changing the fields below */
	AbutStatus status;
	AbutError error;
	double start; /* us, when the work began */
	AbutSweepProgress progress;
} Work;

static void note_progress(Work *work, AbutRunOutcome outcome)
{
	AbutSweepProgress *progress = &work->progress;
	progress->done++;
	progress->failed += outcome == ABUT_RUN_FAILED;
	progress->refused += outcome == ABUT_RUN_REFUSED;
	progress->elapsed_s = 1e-6 * (abut_now_us() - work->start);
	progress->left_s = progress->elapsed_s / (double)progress->done * (double)(progress->total - progress->done);
	if (work->options->progress) {
		work->options->progress(work->options->context, progress);
	}
}

/* Writes nothing after the first error. */
static void record(Work *work, long run, const AbutSweepResult *result, AbutStatus status, AbutError *error)
{
	pthread_mutex_lock(&work->mutex);
	if (work->status == ABUT_OK && status == ABUT_OK) {
		status = abut_sweep_recorder_append(&work->recorder, run, result, error);
	}
	if (work->status == ABUT_OK && status == ABUT_OK) {
		note_progress(work, result->outcome);
	} else if (work->status == ABUT_OK) {
		work->status = status;
		work->error = *error;
		atomic_store(&work->stopped, true);
	}
	pthread_mutex_unlock(&work->mutex);
}

static void make_run(void *context, int item, int thread)
{
	Work *work = context;
	AbutSweepResult result;
	AbutError error = {0};
	(void)thread;
	if (!atomic_load(&work->stopped)) {
		const long run = work->runs[item];
		const AbutStatus status = run_point(work->sweep, run, &work->mutex, &result, &error);
		record(work, run, &result, status, &error);
	}
}

AbutStatus abut_sweep_make_runs(const AbutSweep *sweep, const char *folder, int rank, const AbutSweepOptions *options,
                                const long *runs, long n_runs, AbutError *error)
{
	Work work = {.sweep = sweep, .options = options, .runs = runs, .progress = {.total = n_runs}};
	AbutThreadPool *pool = NULL;
	const int wanted = options->threads > 0 ? options->threads : abut_thread_cores();
	const int n_threads = wanted < n_runs ? wanted : (int)n_runs;
	ABUT_TRY(abut_sweep_recorder_open(&work.recorder, sweep, folder, rank, error));
	AbutStatus status = n_runs > 0 ? abut_thread_pool_create(n_threads, &pool, error) : ABUT_OK;
	if (pool) {
		pthread_mutex_init(&work.mutex, NULL);
		work.start = abut_now_us();
		abut_thread_pool_run_one_by_one(pool, (int)n_runs, make_run, &work);
		abut_thread_pool_destroy(pool);
		pthread_mutex_destroy(&work.mutex);
		status = work.status;
		if (status != ABUT_OK) {
			*error = work.error;
		}
	}
	abut_sweep_recorder_close(&work.recorder);
	return status;
}
