/* A fixed number of threads that share out numbered items of work. The caller is one of them. */
#ifndef BASE_THREAD_POOL_H
#define BASE_THREAD_POOL_H

#include "abut/status.h"

typedef struct AbutThreadPool AbutThreadPool;

/* Works on `item`; `thread`, from 0 to n_threads - 1, is the place of the thread that does, 0 the caller's. */
typedef void AbutThreadTask(void *context, int item, int thread);

/* Cores that are on line; at least 1. */
int abut_thread_cores(void);

/* n_threads >= 1, of which n_threads - 1 are started here. ABUT_ERROR_MEMORY, or ABUT_ERROR_UNSUPPORTED when the system
 * starts no more threads; nothing is left then. */
AbutStatus abut_thread_pool_create(int n_threads, AbutThreadPool **out, AbutError *error);
/* Ends the threads and waits for them. NULL is fine. */
void abut_thread_pool_destroy(AbutThreadPool *pool);

/* Runs the task for items 0 to n_items - 1, each once, in any order, and returns when all are done: what the tasks
 * wrote is then seen by the caller. Allocates nothing. Not to be called from a task, nor by two threads at a time. */
void abut_thread_pool_run(AbutThreadPool *pool, int n_items, AbutThreadTask *task, void *context);
/* The same for items of very different length: they are handed out one by one, in their order. */
void abut_thread_pool_run_one_by_one(AbutThreadPool *pool, int n_items, AbutThreadTask *task, void *context);

#endif
