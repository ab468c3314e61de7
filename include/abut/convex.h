/* Inverse dynamics of method convex (docs/formulation.md 15). */
#ifndef ABUT_CONVEX_H
#define ABUT_CONVEX_H

#include "abut/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Computes the inputs with which one step of method convex leads from the state `before` to the velocities of `after`.
 * These are the forces (N, world, at the centres of mass) and torques (N m, body axes) that abut_state_set_input would
 * have to set; gravity acts in addition. The positions of `after` are not read. `force` and `torque` have three entries
 * for each body of the model: zero for static bodies, and within its plane for a planar body.
 *
 * The contacts are those of `before`. Their forces follow from the velocities, in closed form or, with convex_model
 * "barrier", by a small problem for each contact, so any velocities have exactly one answer.
 *
 * Both states and the workspace must belong to `model`; the last step of the workspace is lost. Returns
 * ABUT_ERROR_UNSUPPORTED for another method, ABUT_ERROR_NUMERICAL if a body turns too far in the step or the barriers
 * do not converge, and ABUT_ERROR_MEMORY. Source: MuJoCo; with barriers, Todorov, ICRA 2011. */
ABUT_API AbutStatus abut_convex_inverse(const AbutModel *model, AbutWorkspace *workspace, const AbutState *before,
                                        const AbutState *after, double *force, double *torque, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
