/* The derivative of a step of method lcp (docs/formulation.md 12; Nimble, IV, V and appendix A). */
#ifndef ABUT_LCP_H
#define ABUT_LCP_H

#include "abut/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows and columns for a moving body. Rows are its state after a step and the first columns its state before the step,
 * in SI. Both are in the tangent space of abut/collide.h, at the centre of mass: position (3, world), rotation (3,
 * small angles about the body's own axes, q <- q * exp(phi / 2)), linear velocity (3, world), angular velocity (3, body
 * axes). */
enum {
	ABUT_LCP_POSITION = 0,
	ABUT_LCP_ROTATION = 3,
	ABUT_LCP_LINEAR = 6,
	ABUT_LCP_ANGULAR = 9,
	ABUT_LCP_ROWS = 12,
	/* further columns */
	ABUT_LCP_FORCE = 12,   /* N, world */
	ABUT_LCP_TORQUE = 15,  /* N m, body axes */
	ABUT_LCP_MASS = 18,    /* kg, with the inertia held */
	ABUT_LCP_INERTIA = 19, /* a factor of the inertia, at the value 1 */
	ABUT_LCP_COLUMNS = 20
};

/* Returns the number of moving bodies, which the derivative lists in the order of the model. */
ABUT_API int abut_lcp_gradient_bodies(const AbutModel *model);

/* Computes the derivative of the last step taken with the workspace, which must have been solved. `out` is row-major,
 * with ABUT_LCP_ROWS n rows and ABUT_LCP_COLUMNS n columns for n moving bodies, body by body.
 *
 * The derivative keeps the sets of the contact problem. Each point continues to clamp (its velocity stays zero), to
 * slide (its friction follows its normal impulse) or to separate, with the same features of both shapes. If the sets
 * are not unique, as for a point that separates without speed and force, the result is one of several one-sided
 * derivatives.
 *
 * A planar body follows only the part of a change within its plane, along x and z and about y; the other columns are
 * zero. For a body turned about y only, these are the columns of y, of rotations and spins about x and z, of the force
 * along y and of the torques about x and z.
 *
 * Returns ABUT_ERROR_UNSUPPORTED if there is no such step, if the model has joints (abut/gradient.h differentiates its
 * steps), if friction was not bounded by its own normal impulses, or if a clamped point has no derivative (sums,
 * intersections, conic data, and nearest points that are not unique).
 * Returns ABUT_ERROR_NUMERICAL if the derivative does not exist to working precision. Allocates and frees its own
 * scratch memory; several threads may call it at once. */
ABUT_API AbutStatus abut_lcp_gradient(const AbutModel *model, const AbutWorkspace *workspace, double *out,
                                      AbutError *error);

/* Computes the gradient of a loss by the state and input before the step, `out` (ABUT_LCP_COLUMNS n), from its gradient
 * by the state after the step, `loss` (ABUT_LCP_ROWS n): the transposed derivative times `loss`. Both are in SI, body
 * by body.
 *
 * With `aware` a second gradient is computed with other sets (Nimble, IV-D): points separate where separation would
 * reduce the loss, and clamp where it would increase the loss. The result is the gradient with the larger |by
 * velocities|^2 + |by forces and torques|^2 / timestep. `switched` (may be NULL) is set to whether it is the second
 * one. The second gradient is a direction to explore, not a derivative: it is nonzero for a force that is too weak to
 * lift a body off the floor. Returns the statuses of abut_lcp_gradient, and ABUT_ERROR_MEMORY. */
ABUT_API AbutStatus abut_lcp_loss_gradient(const AbutModel *model, const AbutWorkspace *workspace, const double *loss,
                                           bool aware, double *out, bool *switched, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
