/* States, inputs, contacts and joints as arrays, many numbers in one call, for callers such as NumPy (docs/python.md).
 * These functions do for all bodies what abut/model.h and abut/batch.h do for one.
 *
 * A body's state has ABUT_STATE_NUMBERS numbers, the values of AbutBodyState in its order and units: position (3),
 * orientation (4), linear velocity (3), angular velocity (3). A body's input has ABUT_INPUT_NUMBERS numbers: force (3;
 * N, world, at the centre of mass) and torque (3; N m, body axes). Arrays are row-major, with one row for each body,
 * static bodies included.
 *
 * A call that sets values sets all of them, or none if a value is not allowed. It then returns ABUT_ERROR_ARGUMENT, and
 * `error` (may be NULL) names the body, the value and what is allowed. */
#ifndef ABUT_ARRAYS_H
#define ABUT_ARRAYS_H

#include "abut/batch.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ABUT_STATE_NUMBERS = 13, ABUT_INPUT_NUMBERS = 6 };

/* The memory in which a state keeps the motion of its bodies. The numbers of body i begin at `first + i * stride`, in
 * the order of AbutBodyState, but the position is that of the centre of mass (world). */
typedef struct AbutMotionView {
	const double *first; /* read only */
	size_t stride;       /* doubles from one body to the next */
	int n_bodies;        /* including static bodies */
} AbutMotionView;

/* Returns a view of a state's motion, without a copy. The view is valid as long as the state; it always refers to the
 * same memory, whose values change with every step. For a NULL state `first` is NULL and `stride` is 0. */
ABUT_API AbutMotionView abut_state_motion(const AbutState *state);

/* Copies the motion of all bodies to `out` (n_bodies x ABUT_STATE_NUMBERS), like abut_state_get_body. */
ABUT_API AbutStatus abut_state_get_bodies(const AbutModel *model, const AbutState *state, double *out);

/* Sets the motion of all bodies from `values` (n_bodies x ABUT_STATE_NUMBERS), like abut_state_set_body, and discards
 * the warm-start data. */
ABUT_API AbutStatus abut_state_set_bodies(const AbutModel *model, AbutState *state, const double *values,
                                          AbutError *error);
/* Copies the forces and torques that act in the next steps to `out` (n_bodies x ABUT_INPUT_NUMBERS). */
ABUT_API AbutStatus abut_state_get_inputs(const AbutModel *model, const AbutState *state, double *out);

/* Sets the forces and torques that act in the next steps from `force_torque` (n_bodies x ABUT_INPUT_NUMBERS), like
 * abut_state_set_input for all bodies. */
ABUT_API AbutStatus abut_state_set_inputs(const AbutModel *model, AbutState *state, const double *force_torque,
                                          AbutError *error);

/* Copies the targets of all motors to `out` (n_joints x ABUT_JOINT_FREEDOMS), with 0 for a freedom without a motor. */
ABUT_API AbutStatus abut_state_get_motors(const AbutModel *model, const AbutState *state, double *out);
/* Sets the targets of all motors from `targets` (n_joints x ABUT_JOINT_FREEDOMS), like abut_state_set_motor for all of
 * them. Those of freedoms without a motor must be 0. The error's path is "joints[i].target[axis]". */
ABUT_API AbutStatus abut_state_set_motors(const AbutModel *model, AbutState *state, const double *targets,
                                          AbutError *error);

/* Calls abut_step `steps` >= 1 times, or until a step fails. `states` (steps x n_bodies x ABUT_STATE_NUMBERS; may be
 * NULL) receives the bodies after each completed step, and `taken` the number of completed steps. `info` is that of the
 * last step, even if it failed. Returns ABUT_ERROR_MEMORY and ABUT_ERROR_STOPPED when
 * abut_step does. */
ABUT_API AbutStatus abut_step_many(const AbutModel *model, AbutState *state, AbutWorkspace *workspace, int steps,
                                   double *states, int *taken, AbutStepInfo *info);

/* Copies all contacts of the last step to `out`, which has room for abut_contact_count entries. */
ABUT_API AbutStatus abut_contact_get_all(const AbutModel *model, const AbutWorkspace *workspace, AbutContact *out);

/* Copies all joints as they are in `state` to `out` (n_joints), like abut_joint_get. */
ABUT_API AbutStatus abut_joint_get_all(const AbutModel *model, const AbutState *state, AbutJointState *out);

/* Copies the values of all sensors to `out` (abut_model_sensor_values entries), like abut_sensor_get for one after the
 * other. */
ABUT_API AbutStatus abut_sensor_get_all(const AbutModel *model, const AbutState *state, double *out);

/* Sets the motion of all bodies in every world from `values` (n_worlds x n_bodies x ABUT_STATE_NUMBERS), the layout
 * that abut_batch_get_states writes. Stopped worlds remain stopped (abut_batch_restart). The path in `error` begins
 * with "worlds[i]". */
ABUT_API AbutStatus abut_batch_set_states(AbutBatch *batch, const double *values, AbutError *error);

/* Copies the joints of all worlds to `out` (n_worlds x n_joints), like abut_joint_get. */
ABUT_API AbutStatus abut_batch_get_joints(const AbutBatch *batch, AbutJointState *out);

/* Copies the values of all sensors of all worlds to `out` (n_worlds x abut_model_sensor_values), like
 * abut_sensor_get_all. */
ABUT_API AbutStatus abut_batch_get_sensors(const AbutBatch *batch, double *out);

/* Writes abut_batch_outcome of every world to `out` (n_worlds). */
ABUT_API AbutStatus abut_batch_get_outcomes(const AbutBatch *batch, AbutOutcome *out);

#ifdef __cplusplus
}
#endif

#endif
