/* The direction of a joint's impulses: a mean g = (1 - theta) row(z) + theta row(z+) of its rows at the start and at the
 * end of the step.
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

/* Returns theta of a joint from the impulses of the last step on its bodies. */
double abut_joint_theta(const AbutJointWork *work, double timestep);

/* Computes theta d(g' I) / d(v, w) at the iterate: turn[2 s + c] are the rows of side s and the columns of side c. */
void abut_joint_turn_of_rows(const AbutJointWork *work, double timestep, double turn[4][36]);
