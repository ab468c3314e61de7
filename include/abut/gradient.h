/* Methods single-level, point-ncp and convex: the derivative of a step, by the implicit function theorem. */
#ifndef ABUT_GRADIENT_H
#define ABUT_GRADIENT_H

#include "abut/parameter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A body's state as the derivative sees it, before and after the step: the tangent space of abut/collide.h, at the
 * centre of mass. SI. */
enum {
	ABUT_GRADIENT_POSITION = 0, /* m, of the centre of mass, world */
	ABUT_GRADIENT_ROTATION = 3, /* rad, small angles about the body's own axes, q <- q * exp(phi / 2) */
	ABUT_GRADIENT_LINEAR = 6,   /* m/s, of the centre of mass, world */
	ABUT_GRADIENT_ANGULAR = 9,  /* rad/s, body axes */
	ABUT_GRADIENT_ROWS = 12,
	ABUT_GRADIENT_FORCE = 12,  /* columns alone: N, world */
	ABUT_GRADIENT_TORQUE = 15, /* N m, body axes */
	ABUT_GRADIENT_COLUMNS = 18
};

/* The derivative of the last step that was differentiated, and room for it. One thread at a time uses it. */
typedef struct AbutGradient AbutGradient;

/* Room for derivatives of this model's steps, which it must outlive. `kappa` 0: at the exact solution, with open
 * contacts left out; else on the central path at kappa, 1e-12 to 1, where contacts that open, close and slip are
 * smoothed. Method point-ncp knows the path alone: 0 stands for 1e-9, or the kappa of its steps where that is larger;
 * at much smaller ones not all points of the path can be had. Method convex has none: kappa must be 0.
 * ABUT_ERROR_ARGUMENT: kappa; ABUT_ERROR_UNSUPPORTED: a method other than these three, convex_model "barrier", or the
 * preset "paper"; ABUT_ERROR_MEMORY. docs/formulation.md 13 and 15. */
ABUT_API AbutStatus abut_gradient_create(const AbutModel *model, double kappa, AbutGradient **out, AbutError *error);
ABUT_API void abut_gradient_destroy(AbutGradient *gradient); /* NULL is fine */

/* The kappa at which `gradient` differentiates: that of its making, or what stands for it. */
ABUT_API double abut_gradient_kappa(const AbutGradient *gradient);

/* abut_step, and the derivative of what it does, at the solution that it ends at. State and `info` become what
 * abut_step makes of them, to the bit. A derivative that cannot be had is told by abut_gradient_matrix, not here.
 * Allocates when bodies touch more others than ever before. ABUT_ERROR_ARGUMENT: things of different models, or NULL.
 */
ABUT_API AbutStatus abut_step_differentiate(const AbutModel *model, AbutState *state, AbutWorkspace *workspace,
                                            AbutGradient *gradient, AbutStepInfo *info);

/* What follows reads the derivative of the last step, however its state and workspace go on; one thread at a time,
 * since it solves with scratch of the gradient's.
 *
 * The matrix of that step: ABUT_GRADIENT_ROWS n rows and ABUT_GRADIENT_COLUMNS n columns, row-major, for the n moving
 * bodies in the order of the model, each with the rows and columns above. A planar body takes of a change what keeps it
 * in its plane; the rest has columns of zeros.
 *
 * ABUT_ERROR_UNSUPPORTED: kappa is 0 and the step ended relaxed. ABUT_ERROR_NUMERICAL: some of the derivative does not
 * exist, or cannot be had to working precision. With both `out` holds what there is, and NaN in place of the rest:
 * columns of bodies, with the rows of those that these touch, of which `error` tells the first. ABUT_ERROR_MEMORY,
 * ABUT_ERROR_ARGUMENT (no such step, or it failed): `out` is not to be used.
 *
 * At the exact solution (kappa 0) some states have one-sided derivatives alone:
 * - where contacts hold more than there are freedoms, as of a plank on two boxes that move, or of many piles at rest;
 *   mostly there is none by positions and rotations, and one by velocities, forces and torques all the same,
 * - where a contact touches and carries no load, where friction is at its bound and nothing slips, or where a body is
 *   about to tip over the end of a face, to 1e-9 in the scene's own sizes, if both sides lead to different motions (of
 *   several such contacts the sides are all open and all closed: of a ball that touches two walls without load neither
 *   is the motion, and the derivative, which it has, is refused too),
 * - by one face (A, b) of a vertex of more than three in which bodies touch.
 * Then `error` names two bodies that touch there. Take kappa > 0, such as 1e-6.
 *
 * Where bodies overlap at the start by more than a step undoes, what changes the overlap is refused at every kappa:
 * positions and rotations, and as parameters the timestep, sizes, faces and poses of parts. Memory and time grow with
 * the square of the bodies that touch each other. */
ABUT_API AbutStatus abut_gradient_matrix(const AbutGradient *gradient, double *out, AbutError *error);

/* --- parameters --- */

/* The steps to come are differentiated by these `parameters` (n), too; n = 0: by none. The last step's derivative is
 * forgotten. ABUT_ERROR_ARGUMENT: the model has no such parameter; ABUT_ERROR_UNSUPPORTED: methods point-ncp and convex
 * are not differentiated by this kind, which the error tells with those that they are; ABUT_ERROR_MEMORY. */
ABUT_API AbutStatus abut_gradient_select(AbutGradient *gradient, int n, const AbutParameter *parameters,
                                         AbutError *error);

/* The last step by the selected parameters: ABUT_GRADIENT_ROWS n_moving rows, n_selected columns, row-major; `out` may
 * be NULL where none is selected. Statuses are those of abut_gradient_matrix, NaN alike: each parameter has its own. */
ABUT_API AbutStatus abut_gradient_parameters(const AbutGradient *gradient, double *out, AbutError *error);

/* --- products --- */

/* Forwards, backwards and by the matrix agree to 1e-6 of the matrix's largest entry, mostly to 1e-8. Whoever
 * differences steps instead should take 1e-6 (m, rad, m/s, rad/s) at the least: of a face that slides, differences over
 * 1e-7 are off by 2e-3. */

/* out (ABUT_GRADIENT_ROWS n) = the matrix times `change` (ABUT_GRADIENT_COLUMNS n), and the parameters' columns times
 * `by_parameter` (n_selected; NULL: zero), without making either. `out` is neither of them. Statuses are those of
 * abut_gradient_matrix, NaN alike, but that what changes nothing of `change` and `by_parameter` need not exist; and
 * ABUT_ERROR_ARGUMENT where a number of these is not finite, which the error names. */
ABUT_API AbutStatus abut_gradient_forward(const AbutGradient *gradient, const double *change,
                                          const double *by_parameter, double *out, AbutError *error);

/* The transposed product: `by_next` (ABUT_GRADIENT_ROWS n) is a cost's derivative by the next state; `out`
 * (ABUT_GRADIENT_COLUMNS n) becomes that by state and input, `parameters` (n_selected; NULL: not wanted) that by the
 * parameters. Statuses as of abut_gradient_forward; where `by_next` is zero no derivative need exist. */
ABUT_API AbutStatus abut_gradient_backward(const AbutGradient *gradient, const double *by_next, double *out,
                                           double *parameters, AbutError *error);

/* `out`: the state that the derivative is of, of body `body`: that after the step at the exact solution, on the path
 * another. ABUT_ERROR_ARGUMENT: a static body, or as above. */
ABUT_API AbutStatus abut_gradient_next(const AbutGradient *gradient, int body, AbutBodyState *out, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
