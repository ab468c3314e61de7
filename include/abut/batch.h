/* Many worlds of one model, stepped together on several threads.
 *
 *      const AbutModel -> AbutBatch (a state for each world, a workspace for each thread) -> abut_batch_step
 *
 * A world moves bit for bit as it would alone with abut_step, for any number of threads and of other worlds. A step
 * allocates nothing. Only one thread at a time may use a batch; that thread also takes part in the work. Different
 * batches, also of one model, may be used at the same time. */
#ifndef ABUT_BATCH_H
#define ABUT_BATCH_H

#include "abut/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pointers must not be NULL unless a function says otherwise. Functions that return a status return
 * ABUT_ERROR_ARGUMENT for a NULL pointer and for a world out of range. */

/* The worlds, a workspace for each thread, and the threads. */
typedef struct AbutBatch AbutBatch;

/* Creates `n_worlds` worlds in the initial state of the scene, on `n_threads` threads, which include the caller's; 0
 * uses one thread for each core. There are never more threads than worlds. The caller keeps the model, which must
 * outlive the batch. Returns ABUT_ERROR_ARGUMENT if n_worlds < 1 or n_threads < 0, and ABUT_ERROR_UNSUPPORTED if the
 * system cannot start the threads. `error` may be NULL. */
ABUT_API AbutStatus abut_batch_create(const AbutModel *model, int n_worlds, int n_threads, AbutBatch **out,
                                      AbutError *error);
/* Ends the threads and frees the batch with its states. Accepts NULL. */
ABUT_API void abut_batch_destroy(AbutBatch *batch);

/* Lets abut_batch_step end early: it then returns ABUT_ERROR_STOPPED, and each world is left after the last step that
 * it completed, so that worlds may differ in time. `stop` is copied; NULL: calls always run to their end. */
ABUT_API void abut_batch_set_stop(AbutBatch *batch, const AbutStop *stop);
ABUT_API int abut_batch_world_count(const AbutBatch *batch); /* Returns the number of worlds. */
/* Returns the number of threads, the caller's included. */
ABUT_API int abut_batch_thread_count(const AbutBatch *batch);

/* Returns the state of a world, which the functions of abut/model.h may read and change between steps; NULL if the
 * world is out of range. The state belongs to the batch and lives as long. */
ABUT_API AbutState *abut_batch_state(AbutBatch *batch, int world);

/* Advances every world by `steps` >= 1 timesteps. A world whose step ends with ABUT_OUTCOME_FAILED stops with the state
 * before that step, and remains stopped in later calls until abut_batch_restart; the other worlds continue. The status
 * says whether the call was legal, not how the solves ended. */
ABUT_API AbutStatus abut_batch_step(AbutBatch *batch, int steps);
/* Allows a stopped world to be stepped again, after its state was changed, and clears its info and outcome. */
ABUT_API AbutStatus abut_batch_restart(AbutBatch *batch, int world);

/* Copies the info of the last step that a world completed or failed to `out`, without a log; all zero before its first
 * step. A batch keeps no contacts: to read those of a step, repeat it with abut_step from a copy of the state before
 * it. */
ABUT_API AbutStatus abut_batch_info(const AbutBatch *batch, int world, AbutStepInfo *out);
/* Writes the worst outcome of the world's steps in the last abut_batch_step to `out`: ABUT_OUTCOME_FAILED while it is
 * stopped, ABUT_OUTCOME_EXACT before its first step. */
ABUT_API AbutStatus abut_batch_outcome(const AbutBatch *batch, int world, AbutOutcome *out);

/* Copies all states to `out` (n_worlds x n_bodies x 13), row-major: for each body the values of AbutBodyState in its
 * order and units, position (3), orientation (4), linear velocity (3), angular velocity (3). */
ABUT_API AbutStatus abut_batch_get_states(const AbutBatch *batch, double *out);
/* Sets the inputs of the next steps from `force_torque` (n_worlds x n_bodies x 6), row-major: for each body force (3;
 * N, world, at the centre of mass) and torque (3; N m, body axes), zero for static bodies. Returns ABUT_ERROR_ARGUMENT,
 * and changes no input, if a value is not allowed (abut_state_set_input). */
ABUT_API AbutStatus abut_batch_set_inputs(AbutBatch *batch, const double *force_torque);
/* Sets the targets of all motors for the next steps from `targets` (n_worlds x n_joints x ABUT_JOINT_FREEDOMS), like
 * abut_state_set_motors. Returns ABUT_ERROR_ARGUMENT, and changes no target, if one is not allowed. */
ABUT_API AbutStatus abut_batch_set_motors(AbutBatch *batch, const double *targets);

#ifdef __cplusplus
}
#endif

#endif
