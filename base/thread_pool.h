/* Runs tasks on a fixed number of threads that share numbered items of work. The calling thread is one of them. */
#pragma once

#include "abut/status.h"
#include "base/stop.h"

typedef struct AbutThreadPool AbutThreadPool;

/* Works on `item`; `thread`, from 0 to n_threads - 1, is the index of the executing thread; 0 is the caller. */
typedef void AbutThreadTask(void *context, int item, int thread);

/* Returns the number of online cores; at least 1. */
int abut_thread_cores(void);

/* Creates a pool of n_threads >= 1 threads; starts n_threads - 1 of them. Returns ABUT_ERROR_MEMORY, or
 * ABUT_ERROR_UNSUPPORTED if the system cannot start more threads. After an error there is nothing to free. */
AbutStatus abut_thread_pool_create(int n_threads, AbutThreadPool **out, AbutError *error);
/* Ends the threads and waits for them; accepts NULL. */
void abut_thread_pool_destroy(AbutThreadPool *pool);

/* Asks `stop` every few hundredths of a second while the calling thread waits for the others; NULL: asks nobody. */
void abut_thread_pool_set_stop(AbutThreadPool *pool, AbutStopper *stop);

/* Runs the task for items 0 to n_items - 1, each once, in any order, and returns when all are done; the caller then
 * sees what the tasks wrote. No allocation. Must not be called from a task or by two threads at a time. In a process
 * that fork made after the pool, the caller does all of the work. */
void abut_thread_pool_run(AbutThreadPool *pool, int n_items, AbutThreadTask *task, void *context);
/* Runs a task like abut_thread_pool_run, for items of very different length: threads claim them one by one, in order.
 */
void abut_thread_pool_run_one_by_one(AbutThreadPool *pool, int n_items, AbutThreadTask *task, void *context);
