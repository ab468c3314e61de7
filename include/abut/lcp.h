/* Method lcp: the derivative of a step (docs/formulation.md 12). */
#ifndef ABUT_LCP_H
#define ABUT_LCP_H

#include "abut/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* First derivatives of a moving body's state after a step with respect to those before it, SI. Both states are seen in
 * the tangent space of abut/collide.h, at the centre of mass: its position (3, world), rotation (3, small angles about
 * the body's own axes, q <- q * exp(phi / 2)), linear velocity (3, world), angular velocity (3, body axes). */
enum {
	ABUT_LCP_POSITION = 0,
	ABUT_LCP_ROTATION = 3,
	ABUT_LCP_LINEAR = 6,
	ABUT_LCP_ANGULAR = 9,
	ABUT_LCP_ROWS = 12,
	/* columns: the same, then */
	ABUT_LCP_FORCE = 12,   /* N, world */
	ABUT_LCP_TORQUE = 15,  /* N m, body axes */
	ABUT_LCP_MASS = 18,    /* kg, with the inertia as it is */
	ABUT_LCP_INERTIA = 19, /* a factor on the inertia, at 1 */
	ABUT_LCP_COLUMNS = 20
};

/* Bodies that move, in the order of the model. */
ABUT_API int abut_lcp_gradient_bodies(const AbutModel *model);

/* Of the last step taken with the workspace, which must have been solved: `out` is row-major, of ABUT_LCP_ROWS n rows
 * and ABUT_LCP_COLUMNS n columns for n moving bodies, body by body. The sets of the contact problem stay what they are:
 * a point that clamps (its velocity stays zero), slides (its friction follows its normal impulse) or separates goes on
 * to, and so does the feature that it is made of. A planar body takes of a change what keeps it in its plane, along x
 * and z and about y: the rest has columns of zeros (turned about y alone, those of y, of the turns and spins about x
 * and z, of the force along y and the torques about x and z). Where that is a choice, as of a point that separates
 * without speed and force, it is one of several one-sided derivatives. ABUT_ERROR_UNSUPPORTED when there is no such
 * step, friction was not bounded by its own normal impulses, or a point that clamps has no derivative (of sums,
 * intersections and conic data, and where nearest points are not unique); ABUT_ERROR_NUMERICAL when the derivative does
 * not exist to working precision. Allocates and frees its scratch; may be called by several threads at once. */
ABUT_API AbutStatus abut_lcp_gradient(const AbutModel *model, const AbutWorkspace *workspace, double *out,
                                      AbutError *error);

/* The gradient of a loss before the step, `out` (ABUT_LCP_COLUMNS n), from that after it, `loss` (ABUT_LCP_ROWS n), SI,
 * body by body: the transposed derivative times `loss`. With `aware` also by other sets (Nimble, IV-D): points where
 * parting would lessen the loss separate, and those where it would add to it clamp; of both gradients the one with the
 * larger |by velocities|^2 + |by forces and torques|^2 / timestep is taken, and `switched` (may be NULL) says whether
 * that is the second. It is a direction to explore, no derivative: a force that would lift a body off the floor, but is
 * too weak to, has a gradient. Statuses as of abut_lcp_gradient, and ABUT_ERROR_MEMORY. */
ABUT_API AbutStatus abut_lcp_loss_gradient(const AbutModel *model, const AbutWorkspace *workspace, const double *loss,
                                           bool aware, double *out, bool *switched, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
