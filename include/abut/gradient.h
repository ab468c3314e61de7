/* The derivative of a step for all methods but bilevel, by the implicit function theorem (docs/formulation.md 12, 13
 * and 15; the single-level paper, V-D). */
#ifndef ABUT_GRADIENT_H
#define ABUT_GRADIENT_H

#include "abut/parameter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows and columns of a body's state, before and after the step: the tangent space of abut/collide.h, at the centre of
 * mass, in SI. */
enum {
	ABUT_GRADIENT_POSITION = 0, /* m, of the centre of mass, world */
	ABUT_GRADIENT_ROTATION = 3, /* rad, small angles about the body's own axes, q <- q * exp(phi / 2) */
	ABUT_GRADIENT_LINEAR = 6,   /* m/s, of the centre of mass, world */
	ABUT_GRADIENT_ANGULAR = 9,  /* rad/s, body axes */
	ABUT_GRADIENT_ROWS = 12,
	ABUT_GRADIENT_FORCE = 12,  /* columns only: N, world */
	ABUT_GRADIENT_TORQUE = 15, /* N m, body axes */
	ABUT_GRADIENT_COLUMNS = 18
};

/* The derivative of the last differentiated step, and its memory. One thread at a time may use it. */
typedef struct AbutGradient AbutGradient;

/* Creates memory for derivatives of the steps of `model`, which must outlive it. With `kappa` 0, derivatives are taken
 * at the exact solution, without open contacts. With kappa from 1e-12 to 1, they are taken on the central path, where
 * opening, closing and slipping of contacts is smoothed.
 *
 * Method point-ncp has only the path. 0 selects 1e-9, or the kappa of its steps if that is larger; at much smaller
 * values some points of the path cannot be computed. Methods lcp and convex have no path: kappa must be 0.
 *
 * Returns ABUT_ERROR_ARGUMENT for a kappa out of range; ABUT_ERROR_UNSUPPORTED for another method, convex_model
 * "barrier" or the preset "paper"; ABUT_ERROR_MEMORY. */
ABUT_API AbutStatus abut_gradient_create(const AbutModel *model, double kappa, AbutGradient **out, AbutError *error);
ABUT_API void abut_gradient_destroy(AbutGradient *gradient); /* Frees it; accepts NULL. */

/* Returns the kappa at which `gradient` differentiates: that of abut_gradient_create, or the value selected by 0; 0 for
 * NULL. */
ABUT_API double abut_gradient_kappa(const AbutGradient *gradient);
/* If `held`, differentiates the next steps with the directions of joints' impulses held, where derivatives are refused
 * otherwise because loads of the step itself, or of another part of it, turn these directions (formulation.md 16). The
 * change of the directions is then left out: of 28 such steps of chains with heavy ends, at 50 ms, the derivatives are
 * off by 7 % on average and by up to 52 % (tests/dynamics/joint/test_joint_gradient.c). Other derivatives stay the
 * same, and what is refused for other reasons stays refused. This serves searches that test what they find, such as
 * trajectory optimisation. Accepts NULL. */
ABUT_API void abut_gradient_hold_turns(AbutGradient *gradient, bool held);

/* Takes a step like abut_step, with the same bits in state and `info`, and stores its derivative in `gradient`. If the
 * derivative does not exist, abut_gradient_matrix reports it; this function does not. Allocates memory when bodies
 * touch more other bodies than in all earlier steps. Returns ABUT_ERROR_ARGUMENT for NULL and for objects of different
 * models. */
ABUT_API AbutStatus abut_step_differentiate(const AbutModel *model, AbutState *state, AbutWorkspace *workspace,
                                            AbutGradient *gradient, AbutStepInfo *info);

/* Computes the matrix of the last differentiated step: ABUT_GRADIENT_ROWS n rows and ABUT_GRADIENT_COLUMNS n columns,
 * row-major, for the n moving bodies in the order of the model, each with the rows and columns above. A planar body
 * follows only the part of a change within its plane; its other columns are zero. Memory and time grow with the square
 * of the number of bodies that touch each other.
 *
 * This function and those below read the derivative of the last step even if state and workspace have since changed.
 * They use scratch memory of the gradient, so one thread at a time may call them. With method convex, they limit
 * OpenBLAS to one thread (ABUT_LINEAR_SOLVER_LIST, abut/scene.h).
 *
 * Statuses:
 * - ABUT_ERROR_UNSUPPORTED: kappa is 0 and the step ended relaxed.
 * - ABUT_ERROR_NUMERICAL: a part of the derivative does not exist, or cannot be computed to working precision.
 * - ABUT_ERROR_MEMORY, ABUT_ERROR_ARGUMENT (no such step, or it failed): `out` must not be used.
 *
 * With the first two statuses `out` holds the part that exists and NaN elsewhere: in the columns of some bodies, at the
 * rows of the bodies that they touch. `error` names the first such part.
 *
 * At the exact solution (kappa 0) some states have only one-sided derivatives. `error` then names two bodies in
 * contact, or a joint; use a kappa > 0, such as 1e-6. This happens
 * - if contacts impose more conditions than there are degrees of freedom, as for a plank on two moving boxes and for
 *   many piles at rest. Usually the derivative by positions and rotations does not exist then, but that by
 *   velocities, forces and torques does;
 * - if a contact touches without load, friction is at its bound without slip, or a body is about to tip over the end
 *   of a face, all to 1e-9 in the scene's own units, and both sides lead to different motions. Several such contacts
 *   are taken as all open or all closed. For a ball that touches two walls without load, neither is the motion, so
 *   its derivative is refused although it exists;
 * - for a derivative by one face (A, b) at a vertex of more than three faces in which bodies touch;
 * - if a joint is at its limit without load, or its friction or motor is at its bound without slip; and by positions
 *   and rotations, if a limit and dry friction both hold a freedom of a joint.
 *
 * Method lcp keeps the sets of its contact problem: a point without load that touches counts as the solver put it. It
 * also refuses
 * - points that carry load and have no derivative (abut/lcp.h);
 * - faces that slide and turn, if their points push in different directions and the equations do not determine what
 *   each of them carries;
 * - points of bodies without joints that bounce within the step, for which abut_lcp_gradient has a derivative.
 *
 * Method convex also refuses, with joints, steps in which contacts or soft equalities push on a mechanism, a spring
 * holds one of its couplings, or a soft limit or soft dry friction acts on a joint that closes a loop, other than one
 * of parallel hinges. While soft limits or dry friction act, it refuses derivatives by masses, inertias and other
 * parameters that may change the mobility of the mechanism; gravity and targets, springs and dampers of joints remain.
 *
 * If bodies initially overlap by more than a step undoes, derivatives by quantities that change the overlap are refused
 * at every kappa: positions and rotations and, as parameters, the timestep, sizes, faces and poses of parts. With
 * joints, these are refused at every kappa: the timestep and centres of mass; and steps in which a joint carries so
 * much load that impulses of the same step turn their own direction, unless abut_gradient_hold_turns holds them. If
 * impulses of the step before turn it, they count as fixed, and rollouts are refused (docs/formulation.md 16). */
ABUT_API AbutStatus abut_gradient_matrix(const AbutGradient *gradient, double *out, AbutError *error);

/* --- parameters --- */

/* Selects the `parameters` (n) by which the next steps are also differentiated; n = 0 selects none. Discards the
 * derivative of the last step. Returns ABUT_ERROR_ARGUMENT if the model has no such parameter, ABUT_ERROR_UNSUPPORTED
 * if the method has no derivatives by this kind (the error lists the kinds it has), and ABUT_ERROR_MEMORY. */
ABUT_API AbutStatus abut_gradient_select(AbutGradient *gradient, int n, const AbutParameter *parameters,
                                         AbutError *error);

/* Computes the derivative of the last step by the selected parameters to `out`: ABUT_GRADIENT_ROWS n_moving rows and
 * n_selected columns, row-major; may be NULL if none is selected. Returns the statuses of abut_gradient_matrix, with
 * NaN for each parameter that has no derivative. */
ABUT_API AbutStatus abut_gradient_parameters(const AbutGradient *gradient, double *out, AbutError *error);

/* --- products --- */

/* Forward products, backward products and the matrix agree to 1e-6 of the matrix's largest entry, usually to 1e-8.
 * Finite differences of steps need an increment of at least 1e-6 (m, rad, m/s, rad/s): for a sliding face, an increment
 * of 1e-7 causes an error of 2e-3. */

/* Computes `out` (ABUT_GRADIENT_ROWS n): the matrix times `change` (ABUT_GRADIENT_COLUMNS n), plus the parameters'
 * columns times `by_parameter` (n_selected; NULL: zero), without forming either matrix. `out` must not be one of the
 * inputs. Returns the statuses of abut_gradient_matrix, with NaN in the same places, but columns with a zero factor
 * need not exist. Also returns ABUT_ERROR_ARGUMENT for an input that is not finite, which the error names. */
ABUT_API AbutStatus abut_gradient_forward(const AbutGradient *gradient, const double *change,
                                          const double *by_parameter, double *out, AbutError *error);

/* Computes the product with the transposed matrix. `by_next` (ABUT_GRADIENT_ROWS n) is the derivative of a cost by the
 * next state. The results are the derivatives of this cost by state and input, `out` (ABUT_GRADIENT_COLUMNS n), and by
 * the parameters, `parameters` (n_selected; may be NULL). Returns the statuses of abut_gradient_forward; rows with a
 * zero in `by_next` need no derivative. */
ABUT_API AbutStatus abut_gradient_backward(const AbutGradient *gradient, const double *by_next, double *out,
                                           double *parameters, AbutError *error);

/* Copies the state of body `body` at which the derivative was taken to `out`: at the exact solution the state after the
 * step, on the path a smoothed state. Returns ABUT_ERROR_ARGUMENT for a static body, and otherwise the statuses of
 * abut_gradient_matrix. */
ABUT_API AbutStatus abut_gradient_next(const AbutGradient *gradient, int body, AbutBodyState *out, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
