#include "experiments/sweep/work.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "base/lapack.h"
#include "base/thread_pool.h"
#include "experiments/sweep/recorder.h"
#include "experiments/sweep/run_point.h"

typedef struct Work {
	const AbutSweep *sweep;
	const AbutSweepOptions *options;
	const long *runs;
	AbutSweepRecorder recorder;
	atomic_bool stopped;   /* by an error */
	pthread_mutex_t mutex; /* of reading scenes, and of what follows */
	AbutStatus status;
	AbutError error;
	double start; /* us */
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

/* Nothing is written after the first error. */
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
		const AbutStatus status = abut_sweep_run_point(work->sweep, run, &work->mutex, &result, &error);
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
	AbutStatus status = abut_sweep_recorder_open(&work.recorder, sweep, folder, rank, error);
	if (status != ABUT_OK) {
		return status;
	}
	if (n_runs > 0) {
		status = abut_thread_pool_create(n_threads, &pool, error);
	}
	if (pool) {
		abut_lapack_use_one_thread();
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
