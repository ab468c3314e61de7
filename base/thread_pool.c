/* Runs tasks on a fixed pool of threads. Between runs they sleep on a condition variable. In a run each thread
 * repeatedly claims the next few items from a counter. */
#include "base/thread_pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

enum { CLAIMS_PER_THREAD = 8 }; /* few enough claims to be cheap, enough to balance items of unequal length */

typedef struct Worker {
	AbutThreadPool *pool;
	pthread_t thread;
	int place; /* index from 1; the calling thread has index 0 */
} Worker;

struct AbutThreadPool {
	pthread_mutex_t mutex;
	pthread_cond_t start, done;
	int n_workers;
	Worker *workers; /* (n_workers) */
	pid_t owner;     /* the process of the workers: fork does not copy them */
	/* The current run, written under the mutex while no worker is busy. */
	AbutThreadTask *task;
	void *context;
	int n_items, claim;
	AbutStopper *stop; /* asked while the caller waits; NULL: none */
	atomic_llong next; /* next unclaimed item */
	/* The following fields are protected by the mutex. */
	unsigned long run; /* number of the run */
	int busy;          /* workers that have not finished the run */
	bool ending;
};

int abut_thread_cores(void)
{
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	return cores > 1 ? (int)cores : 1;
}

/* Returns whether this is a process that fork made after the pool. It has no workers, and mutex and conditions may be
 * in any state. */
static bool is_copy(const AbutThreadPool *pool)
{
	return getpid() != pool->owner;
}

static void work(AbutThreadPool *pool, int place)
{
	for (;;) {
		const long long first = atomic_fetch_add_explicit(&pool->next, pool->claim, memory_order_relaxed);
		for (long long i = first; i < first + pool->claim; i++) {
			if (i >= pool->n_items) {
				return;
			}
			pool->task(pool->context, (int)i, place);
		}
	}
}

static void *worker_main(void *argument)
{
	const Worker *worker = argument;
	AbutThreadPool *pool = worker->pool;
	unsigned long seen = 0;
	pthread_mutex_lock(&pool->mutex);
	for (;;) {
		while (pool->run == seen && !pool->ending) {
			pthread_cond_wait(&pool->start, &pool->mutex);
		}
		if (pool->ending) {
			break;
		}
		seen = pool->run;
		pthread_mutex_unlock(&pool->mutex);
		work(pool, worker->place);
		pthread_mutex_lock(&pool->mutex);
		if (--pool->busy == 0) {
			pthread_cond_signal(&pool->done);
		}
	}
	pthread_mutex_unlock(&pool->mutex);
	return NULL;
}

/* Starts workers. They block all signals except a profiler's and those that their own instructions raise, because other
 * signals belong to the threads of the user's program. Returns an error number. */
static int start_workers(AbutThreadPool *pool, int count)
{
	static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPROF};
	sigset_t blocked, before;
	int problem = 0;
	sigfillset(&blocked);
	for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
		sigdelset(&blocked, own[i]);
	}
	pthread_sigmask(SIG_SETMASK, &blocked, &before);
	while (problem == 0 && pool->n_workers < count) {
		Worker *worker = &pool->workers[pool->n_workers];
		worker->pool = pool;
		worker->place = pool->n_workers + 1;
		problem = pthread_create(&worker->thread, NULL, worker_main, worker);
		pool->n_workers += problem == 0;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return problem;
}

static void end_workers(AbutThreadPool *pool)
{
	pthread_mutex_lock(&pool->mutex);
	pool->ending = true;
	pthread_cond_broadcast(&pool->start);
	pthread_mutex_unlock(&pool->mutex);
	for (int i = 0; i < pool->n_workers; i++) {
		pthread_join(pool->workers[i].thread, NULL);
	}
	pthread_cond_destroy(&pool->done);
	pthread_cond_destroy(&pool->start);
	pthread_mutex_destroy(&pool->mutex);
}

/* Creates the condition for which the caller waits, sometimes with a time limit. Setting the system's clock must not
 * lengthen this limit. */
static void init_done(AbutThreadPool *pool)
{
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&pool->done, &attributes);
	pthread_condattr_destroy(&attributes);
}

AbutStatus abut_thread_pool_create(int n_threads, AbutThreadPool **out, AbutError *error)
{
	*out = NULL;
	AbutThreadPool *pool = calloc(1, sizeof *pool);
	Worker *workers = calloc((size_t)n_threads, sizeof *workers);
	if (!pool || !workers) {
		free(pool);
		free(workers);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for %d threads", n_threads);
	}
	pool->workers = workers;
	pool->owner = getpid();
	atomic_init(&pool->next, 0);
	pthread_mutex_init(&pool->mutex, NULL);
	pthread_cond_init(&pool->start, NULL);
	init_done(pool);
	const int problem = start_workers(pool, n_threads - 1);
	if (problem != 0) {
		const int started = pool->n_workers;
		abut_thread_pool_destroy(pool);
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
		                      "the system started only %d of %d threads: error %d", started, n_threads - 1,
		                      problem);
	}
	*out = pool;
	return ABUT_OK;
}

void abut_thread_pool_destroy(AbutThreadPool *pool)
{
	if (!pool) {
		return;
	}
	if (!is_copy(pool)) {
		end_workers(pool);
	}
	free(pool->workers);
	free(pool);
}

void abut_thread_pool_set_stop(AbutThreadPool *pool, AbutStopper *stop)
{
	pool->stop = stop;
}

/* Waits until no worker is busy. The caller holds the mutex. */
static void wait_for_workers(AbutThreadPool *pool)
{
	static const long between_ns = 20000000;
	while (pool->busy > 0 && !pool->stop) {
		pthread_cond_wait(&pool->done, &pool->mutex);
	}
	while (pool->busy > 0) {
		struct timespec until;
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_sec += until.tv_nsec + between_ns >= 1000000000;
		until.tv_nsec = (until.tv_nsec + between_ns) % 1000000000;
		if (pthread_cond_timedwait(&pool->done, &pool->mutex, &until) != 0) {
			pthread_mutex_unlock(&pool->mutex);
			abut_stopped(pool->stop);
			pthread_mutex_lock(&pool->mutex);
		}
	}
}

static void run(AbutThreadPool *pool, int n_items, int claim, AbutThreadTask *task, void *context)
{
	if (is_copy(pool)) {
		for (int i = 0; i < n_items; i++) {
			task(context, i, 0);
		}
		return;
	}
	pthread_mutex_lock(&pool->mutex);
	pool->task = task;
	pool->context = context;
	pool->n_items = n_items;
	pool->claim = claim;
	atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
	pool->busy = pool->n_workers;
	pool->run++;
	pthread_cond_broadcast(&pool->start);
	pthread_mutex_unlock(&pool->mutex);
	work(pool, 0);
	pthread_mutex_lock(&pool->mutex);
	wait_for_workers(pool);
	pthread_mutex_unlock(&pool->mutex);
}

void abut_thread_pool_run(AbutThreadPool *pool, int n_items, AbutThreadTask *task, void *context)
{
	run(pool, n_items, 1 + n_items / (CLAIMS_PER_THREAD * (pool->n_workers + 1)), task, context);
}

void abut_thread_pool_run_one_by_one(AbutThreadPool *pool, int n_items, AbutThreadTask *task, void *context)
{
	run(pool, n_items, 1, task, context);
}
