/* The direction of a joint's impulses: a mean g = (1 - theta) row(z) + theta row(z+) of its rows at the start and at
 * the end of the step.
 *
 * With theta = 0 the step is variational: momenta of free trees are conserved, and so is energy on average. But the
 * direction is then explicit. The torques of the joints on a body change with its orientation by a stiffness K
 * (direction.c), so the body turns with frequencies sqrt(K / J), which the step must resolve. For one freedom it is
 *
 *     z^2 (1 + a theta) - z (2 - a (1 - theta)) + 1 = 0,     a = dt^2 K / J,
 *
 * stable if a (1 - 2 theta) <= 4. So theta = max(0, 1/2 - C / a), with C = 1 where 2 is the limit, and a of the body as
 * a whole: |J^-1/2 K J^-1/2|. A joint takes the larger of its bodies' loads. They follow from the last impulses, and
 * after the solve from its own, which may ask for more (abut_joints_redirect). theta is 0 where the motion is resolved,
 * and 1/2 or less everywhere, where it dissipates.
 *
 * Momentum is balanced with both bodies at their places x at the start of the step, so both must receive a force at one
 * point: else the step changes the angular momentum by dt (v_b - v_a) x f. The point at the end of the step, carried
 * back by a velocity V between those of the bodies, is p+ - dt V, and the levers of the rows at the end become
 *
 *     lever_a + dt (v_a - V),   lever_b + dt (v_b - V),     v_a - V = share (v_a - v_b),  share = J_a / (J_a + J_b).
 *
 * The lighter body, whose turn must be resolved, keeps most of its own lever; beside a static body, all of it. */
#pragma once

#include "dynamics/joint/joint.h"

/* Sets theta of n joints of an island from the impulses of their held rows (`impulse`): those of the last step,
 * after the setup. */
void abut_joints_direct(AbutJointWork *joints, int n, double timestep);

/* Raises theta where the impulses of a solution ask for clearly more. Returns whether any rose. */
bool abut_joints_redirect(AbutJointWork *joints, int n, double timestep);
/* Undoes the last abut_joints_redirect that returned true. */
void abut_joints_direct_back(AbutJointWork *joints, int n);
