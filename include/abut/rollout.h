/* The derivative of a whole rollout: steps are recorded as they are taken, and a cost's derivative is carried back
 * through them, or a change forward, without a matrix of more than a step (docs/formulation.md 13). By the timestep and
 * a centre of mass it is not the product of abut_gradient_parameters: the end of one step, which follows them, is the
 * start of the next.
 *
 *     abut_rollout_step, as often as wanted -> abut_rollout_backward -> abut_rollout_begin -> ...
 *
 * Vectors of states and inputs are in the coordinates of abut/gradient.h, body after body in the order of the model:
 * ABUT_GRADIENT_ROWS numbers of a body's state, and ABUT_ROLLOUT_INPUT of its input, force (N, world) and torque (N m,
 * body axes). */
#ifndef ABUT_ROLLOUT_H
#define ABUT_ROLLOUT_H

#include "abut/gradient.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ABUT_ROLLOUT_INPUT = 6 }; /* numbers of a body's input */

/* A record of steps. One thread at a time uses it. */
typedef struct AbutRollout AbutRollout;

/* What a rollout is differentiated by, and the memory that it takes. */
typedef struct AbutRolloutOptions {
	double kappa; /* of the derivative: 0, or on the path (abut_gradient_create) */
	int capacity; /* steps that there is room for, at least 1 */
	/* Steps between checkpoints; 0: each step is differentiated as it is taken, and its derivative is kept.
	 * Otherwise states alone are kept, one for each segment, and the steps of a segment are taken once more on the
	 * way: memory for `segment` derivatives instead of `capacity`, for the time of one more rollout. The same bits.
	 */
	int segment;
	int n_parameters;                /* 0: by none */
	const AbutParameter *parameters; /* (n_parameters) copied */
} AbutRolloutOptions;

/* Room for rollouts of the model, which it must outlive. ABUT_ERROR_ARGUMENT: an option, which `error` names;
 * otherwise as abut_gradient_create and abut_gradient_select. */
ABUT_API AbutStatus abut_rollout_create(const AbutModel *model, const AbutRolloutOptions *options, AbutRollout **out,
                                        AbutError *error);
ABUT_API void abut_rollout_destroy(AbutRollout *rollout); /* NULL is fine */

ABUT_API void abut_rollout_begin(AbutRollout *rollout);      /* forgets all steps; not NULL */
ABUT_API int abut_rollout_count(const AbutRollout *rollout); /* of steps recorded; not NULL */

/* abut_step, to the bit, and recorded unless it failed (then neither the state nor the record changes). Between two
 * steps of a record inputs may be set, but nothing else of the state. ABUT_ERROR_ARGUMENT: the record is full, or
 * things of different models. */
ABUT_API AbutStatus abut_rollout_step(AbutRollout *rollout, AbutState *state, AbutWorkspace *workspace,
                                      AbutStepInfo *info);

/* `by_states` ((count + 1) x ABUT_GRADIENT_ROWS n): a cost's derivative by each state alone, the first one before the
 * first step. `by_start` (ABUT_GRADIENT_ROWS n) becomes the whole derivative by the first state, `by_inputs` (count x
 * ABUT_ROLLOUT_INPUT n) that by each step's input, `by_parameters` (n_parameters) that by the parameters; each may be
 * NULL. The workspace, of the same model, is scratch. Where a step has no derivative the status is that of
 * abut_gradient_matrix, and `error` names the step, counted from 0; of the outputs `by_inputs` has the later steps'.
 * ABUT_ERROR_ARGUMENT: no steps, or a number that is not finite. */
ABUT_API AbutStatus abut_rollout_backward(AbutRollout *rollout, AbutWorkspace *workspace, const double *by_states,
                                          double *by_start, double *by_inputs, double *by_parameters, AbutError *error);

/* Changes `start`, `inputs` (NULL: none) and `parameters` (NULL: none), of the sizes above, to the change of the state
 * after the last step, `out` (ABUT_GRADIENT_ROWS n), which is none of the others. Statuses as of backward. */
ABUT_API AbutStatus abut_rollout_forward(AbutRollout *rollout, AbutWorkspace *workspace, const double *start,
                                         const double *inputs, const double *parameters, double *out, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
