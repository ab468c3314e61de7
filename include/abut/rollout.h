/* The derivative of a rollout of many steps. Steps are recorded as they are taken. Then a cost's derivative is carried
 * backward through them, or a change forward, without a matrix larger than that of one step (docs/formulation.md 13).
 *
 *      abut_rollout_step, repeatedly -> abut_rollout_backward -> abut_rollout_begin -> ...
 *
 * Vectors of states and inputs are in the coordinates of abut/gradient.h, body after body in the order of the model. A
 * body's state has ABUT_GRADIENT_ROWS numbers. Its input has ABUT_ROLLOUT_INPUT numbers: force (N, world) and torque (N
 * m, body axes).
 *
 * The timestep and a centre of mass also change the end of one step, which is the start of the next. Derivatives of a
 * rollout by these parameters are therefore not products of abut_gradient_parameters. */
#ifndef ABUT_ROLLOUT_H
#define ABUT_ROLLOUT_H

#include "abut/gradient.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ABUT_ROLLOUT_INPUT = 6 }; /* numbers of a body's input */

/* A record of steps. One thread at a time may use it. */
typedef struct AbutRollout AbutRollout;

/* Parameters by which a rollout is differentiated, and its use of memory. */
typedef struct AbutRolloutOptions {
	double kappa; /* kappa of the derivative, as for abut_gradient_create */
	int capacity; /* most steps of a record, at least 1 */
	/* Steps between checkpoints. 0: the derivative of each step is computed and kept when the step is taken.
	 * Otherwise only one state for each segment is kept, and the steps of a segment are repeated when needed. This
	 * stores `segment` derivatives instead of `capacity`, and takes the time of one more rollout. The bits are the
	 * same. */
	int segment;
	int n_parameters;                /* 0: none */
	const AbutParameter *parameters; /* (n_parameters), copied */
} AbutRolloutOptions;

/* Creates memory for rollouts of the model with `options`; the model must outlive it. Returns ABUT_ERROR_ARGUMENT for
 * an option that is not allowed, which `error` names, and the statuses of abut_gradient_create and
 * abut_gradient_select. */
ABUT_API AbutStatus abut_rollout_create(const AbutModel *model, const AbutRolloutOptions *options, AbutRollout **out,
                                        AbutError *error);
ABUT_API void abut_rollout_destroy(AbutRollout *rollout); /* Frees it; accepts NULL. */

ABUT_API void abut_rollout_begin(AbutRollout *rollout);      /* Discards all recorded steps. */
ABUT_API int abut_rollout_count(const AbutRollout *rollout); /* Returns the number of recorded steps. */

/* Takes a step with the same bits as abut_step and records it. A failed step changes neither the state nor the record.
 * Between two recorded steps only the inputs of the state may be changed. Allocates memory for the step the first time
 * that the record is so long. Returns ABUT_ERROR_ARGUMENT if the record is full, and for objects of different models;
 * ABUT_ERROR_MEMORY, without any change, if memory runs out; otherwise the statuses of abut_step. */
ABUT_API AbutStatus abut_rollout_step(AbutRollout *rollout, AbutState *state, AbutWorkspace *workspace,
                                      AbutStepInfo *info);

/* Carries a cost's derivative backward through the recorded steps. `by_states` ((count + 1) x ABUT_GRADIENT_ROWS n) is
 * the partial derivative by each state; the first state is the one before the first step. The outputs are total
 * derivatives, and each may be NULL: by the first state, `by_start` (ABUT_GRADIENT_ROWS n), by each step's input,
 * `by_inputs` (count x ABUT_ROLLOUT_INPUT n), and by the parameters, `by_parameters` (n_parameters). The workspace must
 * belong to the same model and is used as scratch memory.
 *
 * If a step has no derivative, returns the status of abut_gradient_matrix; `error` names the step, counted from 0, and
 * only `by_inputs` of later steps is valid. Returns ABUT_ERROR_ARGUMENT without steps, and for a number that is not
 * finite. With checkpoints, steps are repeated: then also returns ABUT_ERROR_MEMORY, and ABUT_ERROR_STOPPED if the
 * workspace's stop wants it. */
ABUT_API AbutStatus abut_rollout_backward(AbutRollout *rollout, AbutWorkspace *workspace, const double *by_states,
                                          double *by_start, double *by_inputs, double *by_parameters, AbutError *error);

/* Carries changes forward: computes the change of the state after the last step, `out` (ABUT_GRADIENT_ROWS n), from
 * changes of `start`, `inputs` (may be NULL) and `parameters` (may be NULL), with the sizes above. `out` must not be
 * one of the inputs. Returns the statuses of abut_rollout_backward. */
ABUT_API AbutStatus abut_rollout_forward(AbutRollout *rollout, AbutWorkspace *workspace, const double *start,
                                         const double *inputs, const double *parameters, double *out, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
