/* Many worlds of one model, stepped together over threads.
 *
 *     const AbutModel -> AbutBatch (a state per world, a workspace per thread) -> abut_batch_step
 *
 * A world moves bit for bit as it would alone, with abut_step, whatever the number of threads and of other worlds.
 * Nothing is allocated in a step. A batch is used from one thread at a time, which takes part in the work; different
 * batches, also of one model, may be used at the same time. With ABUT_LINEAR_SOLVER_DENSE, all of this holds as far as
 * it does of LAPACK: give OpenBLAS one thread. */
#ifndef ABUT_BATCH_H
#define ABUT_BATCH_H

#include "abut/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pointers must not be NULL unless a function says otherwise. Functions that return a status answer ABUT_ERROR_ARGUMENT
 * where that is not so, and for a world out of range. */

/* The worlds, a workspace for each thread, and the threads. */
typedef struct AbutBatch AbutBatch;

/* `n_worlds` worlds in the initial state of the scene, on `n_threads` threads, the caller's included; 0: as many as
 * there are cores. There are never more threads than worlds. The model stays the caller's and must outlive the batch.
 * ABUT_ERROR_ARGUMENT: n_worlds < 1 or n_threads < 0. ABUT_ERROR_UNSUPPORTED: the system starts no more threads.
 * `error` may be NULL. */
ABUT_API AbutStatus abut_batch_create(const AbutModel *model, int n_worlds, int n_threads, AbutBatch **out,
                                      AbutError *error);
/* Ends the threads, and frees the batch with its states. NULL is fine. */
ABUT_API void abut_batch_destroy(AbutBatch *batch);

ABUT_API int abut_batch_world_count(const AbutBatch *batch);  /* as it was made with */
ABUT_API int abut_batch_thread_count(const AbutBatch *batch); /* that take part, the caller's included */

/* The state of a world, to be read and changed with the functions of abut/model.h between steps; NULL when out of
 * range. It belongs to the batch and lives as long. */
ABUT_API AbutState *abut_batch_state(AbutBatch *batch, int world);

/* Advances every world by `steps` >= 1 timesteps. A world whose step ends with ABUT_OUTCOME_FAILED stops there, its
 * state as before that step, and stays so in later calls until abut_batch_restart; the others go on. The status says
 * whether the call was legal, not how the solves ended. */
ABUT_API AbutStatus abut_batch_step(AbutBatch *batch, int steps);
/* Lets a world that has stopped be stepped again, its state having been changed; forgets its info and outcome. */
ABUT_API AbutStatus abut_batch_restart(AbutBatch *batch, int world);

/* `out`: of the last step that a world took or failed at; without a log. All zero before its first step. Contacts are
 * kept by a workspace, not by a batch: to read those of a step, take it with abut_step and a copy of the state before
 * it. */
ABUT_API AbutStatus abut_batch_info(const AbutBatch *batch, int world, AbutStepInfo *out);
/* `out`: the worst outcome of the world's steps in the last abut_batch_step; ABUT_OUTCOME_FAILED as long as it has
 * stopped, ABUT_OUTCOME_EXACT before its first step. */
ABUT_API AbutStatus abut_batch_outcome(const AbutBatch *batch, int world, AbutOutcome *out);

/* All states as numbers: `out` is (n_worlds x n_bodies x 13), row-major, of each body the values of AbutBodyState in
 * its order and units: position (3), orientation (4), linear velocity (3), angular velocity (3). */
ABUT_API AbutStatus abut_batch_get_states(const AbutBatch *batch, double *out);
/* The inputs of the next steps: `force_torque` is (n_worlds x n_bodies x 6), row-major, of each body force (3; N,
 * world, at the centre of mass) and torque (3; N m, body axes), zero for static bodies. When a value is not possible
 * (abut_state_set_input), ABUT_ERROR_ARGUMENT, and no input is changed. */
ABUT_API AbutStatus abut_batch_set_inputs(AbutBatch *batch, const double *force_torque);

#ifdef __cplusplus
}
#endif

#endif
