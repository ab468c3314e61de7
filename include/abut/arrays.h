/* Many numbers in one call, for callers whose data are arrays, such as NumPy's (docs/python.md): what abut/model.h and
 * abut/batch.h do body by body.
 *
 * Of a body's state there are ABUT_STATE_NUMBERS, the values of AbutBodyState in its order and units: position (3),
 * orientation (4), linear velocity (3), angular velocity (3). Of its input there are ABUT_INPUT_NUMBERS: force (3; N,
 * world, at the centre of mass) and torque (3; N m, body axes). Arrays are row-major, a row a body, static ones
 * included. What is set is set whole or, when a value is not possible, not at all: ABUT_ERROR_ARGUMENT, and `error`
 * (may be NULL) names body, value and what is allowed. */
#ifndef ABUT_ARRAYS_H
#define ABUT_ARRAYS_H

#include "abut/batch.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ABUT_STATE_NUMBERS = 13, ABUT_INPUT_NUMBERS = 6 };

/* The bodies' motion where a state keeps it: body i's numbers begin at `first + i * stride`, in the order above, but
 * the position is that of the centre of mass (world). */
typedef struct AbutMotionView {
	const double *first; /* read only */
	size_t stride;       /* doubles from body to body */
	int n_bodies;        /* static ones included */
} AbutMotionView;

/* The view of a state's motion, without a copy: it lives as long as the state, is the same memory all that time, and
 * changes with every step. `first` is NULL, and `stride` 0, for NULL. */
ABUT_API AbutMotionView abut_state_motion(const AbutState *state);

/* `out` (n_bodies x ABUT_STATE_NUMBERS): as abut_state_get_body. */
ABUT_API AbutStatus abut_state_get_bodies(const AbutModel *model, const AbutState *state, double *out);

/* As abut_state_set_body for all bodies, from `values` (n_bodies x ABUT_STATE_NUMBERS): drops the warm-start data. */
ABUT_API AbutStatus abut_state_set_bodies(const AbutModel *model, AbutState *state, const double *values,
                                          AbutError *error);
/* `out` (n_bodies x ABUT_INPUT_NUMBERS): the forces and torques of the next steps, as set last. */
ABUT_API AbutStatus abut_state_get_inputs(const AbutModel *model, const AbutState *state, double *out);

/* Forces and torques of the next steps, `force_torque` (n_bodies x ABUT_INPUT_NUMBERS): as abut_state_set_input for all
 * bodies. */
ABUT_API AbutStatus abut_state_set_inputs(const AbutModel *model, AbutState *state, const double *force_torque,
                                          AbutError *error);

/* `steps` >= 1 times abut_step, until one fails. `states` (steps x n_bodies x ABUT_STATE_NUMBERS; NULL: not wanted)
 * receives the bodies after each step that was taken, and `taken` their number. `info` is that of the last step, a
 * failed one included. ABUT_ERROR_MEMORY as abut_step. */
ABUT_API AbutStatus abut_step_many(const AbutModel *model, AbutState *state, AbutWorkspace *workspace, int steps,
                                   double *states, int *taken, AbutStepInfo *info);

/* All contacts of the last step: `out` has room for abut_contact_count. */
ABUT_API AbutStatus abut_contact_get_all(const AbutModel *model, const AbutWorkspace *workspace, AbutContact *out);

/* abut_state_set_bodies in every world: `values` (n_worlds x n_bodies x ABUT_STATE_NUMBERS), as abut_batch_get_states
 * writes it. Worlds that stopped stay so (abut_batch_restart). The error's path begins with "worlds[i]". */
ABUT_API AbutStatus abut_batch_set_states(AbutBatch *batch, const double *values, AbutError *error);

/* Of every world, abut_batch_outcome: `out` (n_worlds). */
ABUT_API AbutStatus abut_batch_get_outcomes(const AbutBatch *batch, AbutOutcome *out);

#ifdef __cplusplus
}
#endif

#endif
