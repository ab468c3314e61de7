/* Running a sweep: what is missing in a folder, over threads and processes. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/lapack.h"
#include "base/thread_pool.h"
#include "experiments/sweep/folder.h"
#include "experiments/sweep/ranks.h"
#include "experiments/sweep/record.h"
#include "io/file_text.h"
#include "io/folder.h"

static AbutStatus fail_memory(AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the sweep");
}

/* --- the runs of this process --- */

typedef struct Work {
	const AbutSweep *sweep;
	const AbutSweepOptions *options;
	AbutSweepRecorder recorder;
	long n_runs;
	const long *runs;        /* (n_runs) */
	pthread_mutex_t reading; /* scenes */
	atomic_bool stopped;     /* by an error */
	pthread_mutex_t mutex;   /* of what follows */
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

static void make_run(void *context, int item, int thread)
{
	Work *work = context;
	AbutSweepRows rows;
	AbutError error = {0};
	(void)thread;
	if (atomic_load(&work->stopped)) {
		return;
	}
	AbutStatus status = abut_sweep_run_point(work->sweep, work->runs[item], &work->reading, &rows, &error);
	pthread_mutex_lock(&work->mutex);
	if (status == ABUT_OK && work->status == ABUT_OK) {
		status = abut_sweep_recorder_append(&work->recorder, &rows, &error);
	}
	if (status == ABUT_OK && work->status == ABUT_OK) {
		note_progress(work, rows.outcome);
	} else if (work->status == ABUT_OK) {
		work->status = status;
		work->error = error;
		atomic_store(&work->stopped, true);
	}
	pthread_mutex_unlock(&work->mutex);
	free(rows.results);
	free(rows.times);
}

static AbutStatus make_runs(Work *work, AbutError *error)
{
	AbutThreadPool *pool = NULL;
	const int wanted = work->options->threads > 0 ? work->options->threads : abut_thread_cores();
	const int n_threads = wanted < work->n_runs ? wanted : (int)work->n_runs;
	const AbutStatus status = abut_thread_pool_create(n_threads, &pool, error);
	if (status != ABUT_OK) {
		return status;
	}
	work->start = abut_now_us();
	work->progress.total = work->n_runs;
	abut_thread_pool_run_one_by_one(pool, (int)work->n_runs, make_run, work);
	abut_thread_pool_destroy(pool);
	if (work->status != ABUT_OK) {
		*error = work->error;
	}
	return work->status;
}

static AbutStatus make_and_record(const AbutSweep *sweep, const char *folder, const AbutSweepOptions *options,
                                  const long *runs, long n_runs, AbutError *error)
{
	Work work = {.sweep = sweep, .options = options, .n_runs = n_runs, .runs = runs};
	const int rank = options->ranks ? options->ranks->rank : 0;
	AbutStatus status = abut_sweep_recorder_open(&work.recorder, sweep, folder, rank, error);
	if (status != ABUT_OK) {
		return status;
	}
	if (n_runs > 0) {
		abut_lapack_use_one_thread();
		pthread_mutex_init(&work.reading, NULL);
		pthread_mutex_init(&work.mutex, NULL);
		status = make_runs(&work, error);
		pthread_mutex_destroy(&work.mutex);
		pthread_mutex_destroy(&work.reading);
	}
	abut_sweep_recorder_close(&work.recorder);
	return status;
}

/* --- the folder before and after --- */

/* The runs of a shard are those whose number leaves a remainder: neighbours, which take about as long, are shared out
 * evenly. */
static bool in_shard(const AbutSweepOptions *options, long run)
{
	return options->shards == 0 || run % options->shards == options->shard - 1;
}

/* A folder that holds a sweep is gone on with when that is asked for and the sweep is this one. */
static AbutStatus check_record(const AbutSweepRecord *record, const AbutSweepRecord *found, const char *folder,
                               bool resume, AbutError *error)
{
	if (!resume) {
		return abut_file_fail(error, folder, ABUT_ERROR_ARGUMENT,
		                      "the folder holds a sweep already, \"%.80s\": resume it, or choose another",
		                      found->name);
	}
	const AbutStatus status = abut_sweep_record_compare(record, found, folder, error);
	if (status == ABUT_OK && (record->shard != found->shard || record->shards != found->shards)) {
		return abut_file_fail(error, folder, ABUT_ERROR_ARGUMENT, "the folder holds another shard, %d of %d",
		                      found->shard, found->shards);
	}
	return status;
}

/* Puts in order what an earlier call has left, and says what the folder is to hold. */
static AbutStatus begin_folder(const AbutSweepRecord *record, const char *folder, bool resume, AbutError *error)
{
	AbutSweepRecord found;
	AbutSweepContents contents;
	bool is_there = false;
	AbutStatus status = abut_sweep_record_read(folder, &found, &is_there, error);
	if (status == ABUT_OK && is_there) {
		status = check_record(record, &found, folder, resume, error);
		abut_sweep_record_free(&found);
	}
	if (status == ABUT_OK) {
		status = abut_sweep_contents_init(&contents, record->runs, error);
	}
	if (status != ABUT_OK) {
		return status;
	}
	status = abut_sweep_contents_read(&contents, folder, error);
	if (status == ABUT_OK && !is_there && contents.tables[0].header) {
		status = abut_file_fail(error, folder, ABUT_ERROR_ARGUMENT,
		                        "the folder holds a runs.csv, but no sweep.json that tells of which sweep");
	}
	if (status == ABUT_OK) {
		status = abut_sweep_record_write(record, folder, error);
	}
	if (status == ABUT_OK) {
		status = abut_sweep_contents_write(&contents, folder, error);
	}
	abut_sweep_contents_free(&contents);
	return status;
}

/* What this process is to run: its share of the runs that the folder lacks. */
static AbutStatus list_runs(const AbutSweep *sweep, const char *folder, const AbutSweepOptions *options, long **runs,
                            long *n_runs, AbutError *error)
{
	AbutSweepContents contents;
	AbutStatus status = abut_sweep_contents_init(&contents, sweep->run_count, error);
	if (status != ABUT_OK) {
		return status;
	}
	*runs = calloc((size_t)sweep->run_count, sizeof **runs);
	status = *runs ? abut_sweep_contents_read(&contents, folder, error) : fail_memory(error);
	const AbutRanks alone = {0, 1}, *ranks = options->ranks ? options->ranks : &alone;
	long missing = 0;
	*n_runs = 0;
	for (long i = 0; status == ABUT_OK && i < sweep->run_count; i++) {
		if (in_shard(options, i) && !contents.tables[0].rows[i] && missing++ % ranks->size == ranks->rank) {
			(*runs)[(*n_runs)++] = i;
		}
	}
	abut_sweep_contents_free(&contents);
	return status;
}

/* All runs are there: the tables in order, and the record with what came out. */
static AbutStatus end_folder(AbutSweepRecord *record, const char *folder, AbutError *error)
{
	AbutSweepContents contents;
	AbutStatus status = abut_sweep_contents_init(&contents, record->runs, error);
	if (status != ABUT_OK) {
		return status;
	}
	status = abut_sweep_contents_read(&contents, folder, error);
	if (status == ABUT_OK) {
		status = abut_sweep_contents_write(&contents, folder, error);
	}
	if (status == ABUT_OK) {
		abut_sweep_contents_count(&contents, &record->counts);
		record->complete = true;
		status = abut_sweep_record_write(record, folder, error);
	}
	abut_sweep_contents_free(&contents);
	return status;
}

static AbutStatus agree(const AbutSweepOptions *options, AbutStatus status, AbutError *error)
{
	return options->ranks ? abut_ranks_agree(options->ranks, status, error) : status;
}

/* Each stage ends when it has for all processes; the folder as a whole is the first one's. */
static AbutStatus run_stages(const AbutSweep *sweep, const char *folder, const AbutSweepOptions *options,
                             AbutSweepRecord *record, AbutError *error)
{
	const bool is_first = !options->ranks || options->ranks->rank == 0;
	long *runs = NULL, n_runs = 0;
	AbutStatus status =
	    agree(options, is_first ? begin_folder(record, folder, options->resume, error) : ABUT_OK, error);
	if (status == ABUT_OK) {
		status = agree(options, list_runs(sweep, folder, options, &runs, &n_runs, error), error);
	}
	if (status == ABUT_OK) {
		status = agree(options, make_and_record(sweep, folder, options, runs, n_runs, error), error);
	}
	if (status == ABUT_OK) {
		status = agree(options, is_first ? end_folder(record, folder, error) : ABUT_OK, error);
	}
	free(runs);
	return status;
}

/* The folder, which stays once something stands in it. */
static AbutStatus open_folder(const char *path, AbutFolder *folder, int *lock, AbutError *error)
{
	AbutStatus status = abut_folder_make(folder, path, "output", error);
	return status == ABUT_OK ? abut_sweep_folder_lock(folder->path, lock, error) : status;
}

AbutStatus abut_sweep_run(const AbutSweep *sweep, const char *path, const AbutSweepOptions *options,
                          AbutSweepCounts *counts, AbutError *error)
{
	AbutError local = {0};
	error = error ? error : &local;
	AbutSweepRecord record;
	AbutFolder folder = {NULL, 0};
	int lock = -1;
	const bool is_first = !options->ranks || options->ranks->rank == 0;
	if (options->shards < 0 || options->shard < (options->shards > 0) || options->shard > options->shards) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "there is no shard %d of %d", options->shard,
		                      options->shards);
	}
	AbutStatus status = abut_sweep_record_make(sweep, options->shard, options->shards, &record, error);
	if (status == ABUT_OK && is_first) {
		status = open_folder(path, &folder, &lock, error);
	}
	status = agree(options, status, error);
	if (status == ABUT_OK) {
		status = run_stages(sweep, path, options, &record, error);
	}
	if (status == ABUT_OK && counts) {
		*counts = record.counts;
	}
	if (lock >= 0) {
		close(lock);
	}
	abut_folder_drop(&folder); /* a folder that something stands in stays */
	abut_sweep_record_free(&record);
	return status;
}
