/* The direction of a joint's impulses: a mean g = (1 - theta) row(z) + theta row(z+) of its rows at the start and at
 * the end of the step.
 *
 * With theta = 0 the step is variational: momenta of free trees are conserved, and so is energy on average. But the
 * direction is then explicit: a body with the moment of inertia J at a lever r that carries the impulse Lambda = dt F
 * turns under it with the frequency sqrt(F r / J), and the step is unstable if that is not resolved. One freedom is
 *
 *     z^2 (1 + a theta) - z (2 - a (1 - theta)) + 1 = 0,     a = dt Lambda r / J,
 *
 * which is stable if a (1 - 2 theta) <= 4. */
#pragma once

#include "dynamics/joint/joint.h"

/* Sets theta of n joints of an island from the impulses of their held rows (`impulse`): after the
 * setup, those of the last step. */
void abut_joints_direct(AbutJointWork *joints, int n, double timestep);

/* Raises theta where the impulses of a solution ask for more. Returns whether a joint's theta rose by more than
 * `least`.
 */
bool abut_joints_redirect(AbutJointWork *joints, int n, double timestep, double least);

/* Computes theta d(g' I) / d(v, w) at the iterate: turn[2 s + c] are the rows of side s and the columns of side c. */
void abut_joint_turn_of_rows(const AbutJointWork *work, double timestep, double turn[4][36]);
