/* Method convex: inverse dynamics (docs/formulation.md 15). */
#ifndef ABUT_CONVEX_H
#define ABUT_CONVEX_H

#include "abut/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The forces (N, world, at the centres of mass) and torques (N m, body axes) that lead from the state `before` in one
 * step of method convex to the velocities of `after`, whose places are not read: what abut_state_set_input would have
 * to set, beside gravity. Contacts are those of `before`; their forces follow from the velocities in closed form, so
 * that any velocities have an answer, and it is unique; with convex_model "barrier" that, too. `force` and `torque`
 * have three entries for each body of the model, zero for static ones; of a planar body they keep to its plane.
 *
 * Both states and the workspace are of `model`, and the workspace's last step is lost. ABUT_ERROR_UNSUPPORTED for
 * another method, ABUT_ERROR_NUMERICAL where a body turns too far in the step or barriers do not converge,
 * ABUT_ERROR_MEMORY. */
ABUT_API AbutStatus abut_convex_inverse(const AbutModel *model, AbutWorkspace *workspace, const AbutState *before,
                                        const AbutState *after, double *force, double *torque, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
