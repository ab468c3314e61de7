/* The derivative of a step in joint coordinates: a robot as the linear system
 *
 *     x+ = A x + B u + P p
 *
 * for small changes of the state x before a step, of the inputs u of its motors and of parameters p, as in MuJoCo's
 * transition derivatives.
 *
 * The state has 2 n_v entries: the changes of the coordinates, then those of the rates qdot, both in the order of qdot
 * (abut/robot.h). The change of the coordinates is a vector of the tangent space, which abut_robot_integrate adds to q
 * in a unit of time: for joints but balls it is the change of q itself; for a ball, a small turn about the axes of the
 * child; for a base, the displacement of the centre of mass (m, world) and a small turn about the body's axes (rad).
 * abut_robot_difference is its inverse. The inputs are the targets of all motors, joint after joint and freedom after
 * freedom.
 *
 * The state is that of abut_robot_set_state: changes of coordinates move the bodies along the joints of the tree, and
 * their velocities with them. A change that opens a loop or a coupling is closed by the step. With the state of the
 * next step read by abut_robot_get_state, products of A are derivatives of rollouts.
 *
 * Derivatives exist where those of abut/gradient.h exist, and are refused with the same statuses. At kappa 0 the
 * columns of rates and inputs may exist where those of coordinates do not. */
#ifndef ABUT_LINEAR_H
#define ABUT_LINEAR_H

#include "abut/gradient.h"
#include "abut/robot.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The derivative of the last step in joint coordinates, with its robot and its memory. One thread at a time may use it;
 * queries use its scratch memory. */
typedef struct AbutLinear AbutLinear;

/* Creates memory for derivatives of the steps of `model`, which must outlive it, at `kappa`. Returns the statuses of
 * abut_gradient_create and abut_robot_create. */
ABUT_API AbutStatus abut_linear_create(const AbutModel *model, double kappa, AbutLinear **out, AbutError *error);
ABUT_API void abut_linear_destroy(AbutLinear *linear); /* Frees it; accepts NULL. */

/* Selects the `parameters` (n) by which the next steps are also differentiated, like abut_gradient_select. Discards the
 * derivative of the last step. Returns ABUT_ERROR_UNSUPPORTED for a centre of mass as well: it moves the points that
 * coordinates of bases describe. */
ABUT_API AbutStatus abut_linear_select(AbutLinear *linear, int n, const AbutParameter *parameters, AbutError *error);

/* Returns the kappa at which `linear` differentiates, see abut_gradient_kappa. */
ABUT_API double abut_linear_kappa(const AbutLinear *linear);
/* Holds the directions of joints' impulses in the derivatives of the next steps if `held`, see
 * abut_gradient_hold_turns. Does nothing for NULL. */
ABUT_API void abut_linear_hold_turns(AbutLinear *linear, bool held);
ABUT_API int abut_linear_state_count(const AbutLinear *linear); /* Returns the length of x, 2 n_v. */
ABUT_API int abut_linear_input_count(const AbutLinear *linear); /* Returns the length of u, the number of motors. */
/* Returns the name of entry `i` of x, which lives as long as `linear`; an empty string out of range. A coordinate has
 * the name of its joint, with ".0", ".1", ".2" if the joint has several freedoms, or that of its base with ".x", ".y",
 * ".z", ".rx", ".ry", ".rz", of a planar base with ".x", ".z", ".turn". A rate has the same name with ".rate", and that
 * of a base ends with ".vx" to ".wz". */
ABUT_API const char *abut_linear_state_name(const AbutLinear *linear, int i);
/* Returns the name of input `i`, see abut_linear_state_name: that of the joint, with ".0", ".1", ".2" if the joint has
 * several freedoms. */
ABUT_API const char *abut_linear_input_name(const AbutLinear *linear, int i);
/* Returns the motor of input `i` as a parameter of kind ABUT_PARAMETER_MOTOR, whose `part` is the joint and whose
 * `index` is the freedom; its `part` is -1 out of range. */
ABUT_API AbutParameter abut_linear_input(const AbutLinear *linear, int i);

/* Takes a step with the same bits as abut_step, and stores its derivative, like abut_step_differentiate. */
ABUT_API AbutStatus abut_linear_step(AbutLinear *linear, AbutState *state, AbutWorkspace *workspace,
                                     AbutStepInfo *info);

/* Computes the matrices of the last step, row-major: A (n_x x n_x), B (n_x x n_u) and P (n_x x n_parameters); each may
 * be NULL. Returns the statuses of abut_gradient_matrix, with NaN for entries that do not exist; `error` says why the
 * first of them does not. */
ABUT_API AbutStatus abut_linear_matrices(AbutLinear *linear, double *A, double *B, double *P, AbutError *error);

/* Computes the matrices by the numbers of (q, qdot), n_n = abut_robot_coordinate_count + abut_robot_velocity_count of
 * them, for programs that do not know rotations: A (n_n x n_n) and B (n_n x n_u), row-major; each may be NULL. A change
 * of a quaternion along itself has no effect. Returns the statuses of abut_linear_matrices; unless it is ABUT_OK,
 * nothing is written. */
ABUT_API AbutStatus abut_linear_numbers(AbutLinear *linear, double *A, double *B, AbutError *error);

/* Returns the number of values of all sensors together, the rows of C and D, see abut_model_sensor_values. */
ABUT_API int abut_linear_output_count(const AbutLinear *linear);
/* Computes the derivatives of all sensors in the last step by the state before it and its inputs: y = C x + D u, with C
 * (n_y x n_x) and D (n_y x n_u), row-major; each may be NULL. Poses, velocities, coordinates and rates (of
 * abut_robot_get_state) are those of the state before the step; imus and efforts of joints are means over the step. So
 * y belongs to the same x and u as x+.
 *
 * Rows are NaN for sensors whose derivative is not known: force_torque and contact_force; those of joints that close
 * loops; efforts of balls, of steps that were taken in parts and, on the path, of motors with a limit. Then it returns
 * ABUT_ERROR_UNSUPPORTED with the first of these sensors in `error`, as its name and with the path "sensors[i]"; all
 * other rows are valid. Otherwise returns the statuses of abut_linear_matrices, whose errors come first. */
ABUT_API AbutStatus abut_linear_outputs(AbutLinear *linear, double *C, double *D, AbutError *error);

/* Computes `out` = A x + B u + P p (n_x) without forming the matrices; `u` and `p` may be NULL: zero. Returns the
 * statuses of abut_linear_matrices, and ABUT_ERROR_ARGUMENT for an entry that is not finite. */
ABUT_API AbutStatus abut_linear_forward(AbutLinear *linear, const double *x, const double *u, const double *p,
                                        double *out, AbutError *error);
/* Computes the gradient of a cost by x, u and p from that by the next state, `by_next` (n_x): by_x = A' by_next, by_u =
 * B' by_next, by_p = P' by_next, by one solve with the transposed system. `by_u` and `by_p` may be NULL. Returns the
 * statuses of abut_linear_forward. */
ABUT_API AbutStatus abut_linear_backward(AbutLinear *linear, const double *by_next, double *by_x, double *by_u,
                                         double *by_p, AbutError *error);

/* Computes the gradient of a cost by the first state and the inputs of a rollout of `n` steps, `steps`, each of which
 * holds the derivative of one step. `by_states` ((n + 1) x n_x) are the partial derivatives of the cost by the state
 * before each step, and after the last. `by_start` (n_x), `by_inputs` (n x n_u) and `by_parameters` (n_parameters, the
 * sum over the steps) may be NULL. `error` names the step that has no derivative. */
ABUT_API AbutStatus abut_linear_backward_through(int n, AbutLinear *const *steps, const double *by_states,
                                                 double *by_start, double *by_inputs, double *by_parameters,
                                                 AbutError *error);
/* Computes the change `out` (n_x) of the state after the last of `n` steps from changes of the first state, `start`
 * (n_x), of the `inputs` (n x n_u; may be NULL) and of the `parameters` (may be NULL). */
ABUT_API AbutStatus abut_linear_forward_through(int n, AbutLinear *const *steps, const double *start,
                                                const double *inputs, const double *parameters, double *out,
                                                AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
